package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/ports"
)

// Health is whether the service can serve.
type Health struct {
	deps  usecase.Deps
	files ports.Files
}

// Ready says why nothing can be served now, nil when everything can.
func (u *Health) Ready(ctx context.Context) error { return u.deps.Store.Ready(ctx) }

// FilesReady returns why no file can be kept now, nil when one can. All else can
// be served without.
func (u *Health) FilesReady(ctx context.Context) error { return u.files.Ready(ctx) }
