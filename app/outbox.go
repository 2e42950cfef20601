package app

import (
	"context"

	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Outbox is the operator's view of the letters that wait. Jobs of other kinds
// are none of its business.
type Outbox struct {
	deps
	queue ports.Queue
}

// List returns the letters in any of the states, all when none is given, oldest
// first.
func (u *Outbox) List(ctx context.Context, states ...job.State) ([]job.Job, error) {
	return u.queue.List(ctx, invitation.Kind, states...)
}

// Retry lets a dead or waiting letter be delivered at once, as if it had never
// been tried.
func (u *Outbox) Retry(ctx context.Context, id job.ID) error {
	return u.queue.Revive(ctx, invitation.Kind, id, u.clock.Now())
}
