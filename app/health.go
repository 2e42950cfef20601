package app

import "context"

// Health is whether the service can serve.
type Health struct{ deps }

// Ready says why nothing can be served now, nil when everything can.
func (u *Health) Ready(ctx context.Context) error { return u.store.Ready(ctx) }
