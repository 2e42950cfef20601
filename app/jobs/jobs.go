package jobs

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// Jobs is the operator's view of the unfinished jobs of one kind, in all schools.
type Jobs struct {
	deps  usecase.Deps
	queue ports.Queue
	kind  job.Kind
}

// New returns a Jobs for the jobs that deliver invitation emails.
func New(d usecase.Deps, queue ports.Queue) *Jobs { return &Jobs{d, queue, invitation.Kind} }

// Invitations returns a Jobs for the jobs that deliver invitation emails.
func (u *Jobs) Invitations() *Jobs { return u.of(invitation.Kind) }

// SignIns returns a Jobs for the jobs that deliver sign-in links.
func (u *Jobs) SignIns() *Jobs { return u.of(signin.Kind) }

// Files returns a Jobs for the jobs that delete files.
func (u *Jobs) Files() *Jobs { return u.of(FileCleanupKind) }

// Bulk returns a Jobs for the jobs that apply parts of bulk requests. All rows of a dead job have
// failed; retrying the job has no effect.
func (u *Jobs) Bulk() *Jobs { return u.of(bulk.JobKind) }

// Removals returns a Jobs for the jobs that delete the records of deleted courses.
func (u *Jobs) Removals() *Jobs { return u.of(CourseRemovalKind) }

func (u *Jobs) of(kind job.Kind) *Jobs { return &Jobs{u.deps, u.queue, kind} }

// List returns the jobs in any of the states, or in all if states is empty, oldest first.
func (u *Jobs) List(ctx context.Context, states ...job.State) ([]job.Job, error) {
	return u.queue.List(ctx, u.kind, states...)
}

// Retry makes a dead or waiting job runnable at once, and resets its attempts to 0.
func (u *Jobs) Retry(ctx context.Context, id job.ID) error {
	return u.queue.Retry(ctx, u.kind, id, u.deps.Clock.Now())
}
