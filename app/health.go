package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/ports"
)

// Health checks whether requests can be served.
type Health struct {
	deps  usecase.Deps
	files ports.Files
}

// Ready returns an error if the store is unavailable.
func (u *Health) Ready(ctx context.Context) error { return u.deps.Store.Ready(ctx) }

// FilesReady returns an error if files cannot be stored. Requests without files still work then.
// Package readiness of the HTTP API calls both.
func (u *Health) FilesReady(ctx context.Context) error { return u.files.Ready(ctx) }
