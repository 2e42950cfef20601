package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Outbox is the operator's view of the jobs of one kind that wait. Jobs of other
// kinds are none of its business.
type Outbox struct {
	deps  usecase.Deps
	queue ports.Queue
	kind  job.Kind
}

// Letters returns the outbox of the letters that are not delivered.
func (u *Outbox) Letters() *Outbox { return u.of(invitation.Kind) }

// Files returns the outbox of the files that are to be removed.
func (u *Outbox) Files() *Outbox { return u.of(DiscardKind) }

// Bulk returns the outbox of the parts of bulk requests that are to be applied.
// One that is dead is over: its rows have failed.
func (u *Outbox) Bulk() *Outbox { return u.of(bulk.JobKind) }

// Removals returns the outbox of the courses whose records are still to be removed.
func (u *Outbox) Removals() *Outbox { return u.of(RemovalKind) }

func (u *Outbox) of(kind job.Kind) *Outbox { return &Outbox{u.deps, u.queue, kind} }

// List returns the jobs in any of the states, all when none is given, oldest
// first.
func (u *Outbox) List(ctx context.Context, states ...job.State) ([]job.Job, error) {
	return u.queue.List(ctx, u.kind, states...)
}

// Retry lets a dead or waiting job be done at once, as if it had never been tried.
func (u *Outbox) Retry(ctx context.Context, id job.ID) error {
	return u.queue.Revive(ctx, u.kind, id, u.deps.Clock.Now())
}
