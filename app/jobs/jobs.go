package jobs

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// Jobs is the operator's view of the unfinished jobs of all schools.
type Jobs struct {
	deps      usecase.Deps
	queue     ports.Queue
	retention time.Duration // of dead jobs
}

// Retention is how long dead jobs are kept if the operator configures no other time.
const Retention = 90 * 24 * time.Hour

// New returns a Jobs that keeps dead jobs for Retention.
func New(d usecase.Deps, queue ports.Queue) *Jobs { return &Jobs{d, queue, Retention} }

// KeepFor sets how long dead jobs are kept; 0: until an operator retries them. It must be called
// before Sweep.
func (u *Jobs) KeepFor(d time.Duration) { u.retention = d }

// List returns the jobs of a kind in any of the states, or in all if states is empty, oldest first.
func (u *Jobs) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	return u.queue.List(ctx, kind, states...)
}

// Dead returns the dead jobs of a school of any of the kinds, at most limit, the latest first.
func (u *Jobs) Dead(ctx context.Context, of school.ID, kinds []job.Kind, limit int) ([]job.Job, error) {
	return u.queue.Dead(ctx, of, kinds, limit)
}

// Retry makes a dead or waiting job runnable at once, and resets its attempts to 0. All rows of a
// dead job of bulk.JobKind have failed; retrying it has no effect.
func (u *Jobs) Retry(ctx context.Context, kind job.Kind, id job.ID) error {
	return u.queue.Retry(ctx, kind, id, u.deps.Clock.Now())
}

// RetryBy is like Retry, for an actor and a job of the actor's school.
func (u *Jobs) RetryBy(ctx context.Context, a usecase.Actor, kind job.Kind, id job.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return tx.Jobs.Retry(ctx, kind, id, u.deps.Clock.Now())
	})
}

// expiring contains the kinds whose dead jobs are deleted after some time. A dead job of another
// kind is the only record of work that is left undone, such as the removal of a course, so it is
// kept. An email can be requested again, and the rows of a dead part of a bulk request have failed.
var expiring = []job.Kind{invitation.Kind, signin.Kind, signin.StrangerKind, bulk.JobKind}

// Sweep deletes dead jobs of all schools, of the kinds in expiring, that were last attempted longer
// ago than the configured time. more reports whether there may be further ones.
func (u *Jobs) Sweep(ctx context.Context) (more bool, err error) {
	if u.retention == 0 {
		return false, nil
	}
	for _, kind := range expiring {
		n, err := u.queue.DeleteDead(ctx, kind, u.deps.Clock.Now().Add(-u.retention), sweepBatch)
		if err != nil {
			return false, err
		}
		more = more || n == sweepBatch
	}
	return more, nil
}
