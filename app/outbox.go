package app

import (
	"context"

	"lyceum/domain/job"
	"lyceum/ports"
)

// Outbox is the operator's view of the letters that wait.
type Outbox struct {
	deps
	queue ports.Queue
}

// List returns the jobs of the kind in any of the states, all when none is
// given, oldest first.
func (u *Outbox) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	return u.queue.List(ctx, kind, states...)
}

// Retry lets a dead or waiting job run at once, as if it had never been tried.
func (u *Outbox) Retry(ctx context.Context, id job.ID) error {
	return u.queue.Revive(ctx, id, u.clock.Now())
}
