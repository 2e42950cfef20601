package ports

import (
	"context"
	"time"

	"lyceum/domain/job"
	"lyceum/domain/school"
)

// JobRepo adds, deletes and retries jobs within a transaction.
type JobRepo interface {
	// Add inserts new jobs of the transaction's school, all of them or none. They can be leased
	// only after the transaction is committed, and are as durable as its other writes.
	Add(ctx context.Context, js ...job.Job) error

	// Delete deletes the school's jobs of the kind with the given payload, in every state. A worker
	// that has leased such a job loses its lease.
	Delete(ctx context.Context, kind job.Kind, payload string) error

	// Retry is like Queue.Retry, for jobs of the school. It takes effect at the commit. A worker that
	// leases the job before that may make the commit fail with NotFound.
	Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error
}

// Queue leases the jobs of all schools to the workers of all servers. It is not bound to one
// school: a job contains the id of its school.
type Queue interface {
	// Lease returns up to n jobs of the kind that can run at the time now: waiting jobs that are
	// due, and leased jobs whose lease has expired (their worker is assumed to be dead). It leases
	// the jobs until the given time and increments their Attempts. A job is leased by one caller at
	// a time. Callers do not wait for each other. A job that another server adds after it has been due for
	// seconds may be leased up to five seconds later.
	//
	// On each instance, schools take turns, job by job: between two jobs of a school, every other
	// school with a due job gets one. Jobs of one school are leased in the order of their RunAt.
	Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error)

	// LimitLeases sets the maximum number of unexpired leases of the kind that this server holds
	// for one school, so that its other workers are free for other schools. While the server holds
	// at least shared unexpired leases of the kind, a school that has one gets no further one, so
	// that a few schools do not get all workers. 0, the default, means no limit. Lease ignores the
	// due jobs of a school that has reached the limit.
	LimitLeases(kind job.Kind, perSchool, shared int)

	// Complete deletes a leased job. Here and in the next three methods j is the job as Lease
	// returned it. NotFound means that the lease was lost: it expired and another worker leased the
	// job, or an operator retried the job.
	Complete(ctx context.Context, j job.Job) error

	// Reschedule returns a leased job to the queue, where it waits until the given time, and saves
	// job.SanitizeError(cause) as its LastError.
	Reschedule(ctx context.Context, j job.Job, until time.Time, cause string) error

	// Defer is like Reschedule, but the attempt is not counted. It is for a job that was not tried,
	// or that could not get a lock.
	Defer(ctx context.Context, j job.Job, until time.Time, cause string) error

	// MarkDead makes a leased job dead and saves job.SanitizeError(cause) as its LastError.
	MarkDead(ctx context.Context, j job.Job, cause string) error

	// ReleaseOwnLeases ends, at the time now, the unexpired leases that earlier processes of this
	// server took, so that their jobs can run immediately. It returns the number of leases that it
	// ended. A server is identified by the name with which its store was opened. Without a name,
	// and on a store whose jobs end with the process, there are no earlier leases. A running server
	// never loses a lease this way: while another process runs under the same name, no lease is
	// released. To make sure of that, ReleaseOwnLeases may wait several seconds.
	ReleaseOwnLeases(ctx context.Context, now time.Time) (int, error)

	// List returns the jobs of the kind in any of the states, or in all states if none is given,
	// oldest first.
	List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error)

	// Dead returns the dead jobs of a school of any of the kinds, at most limit, those that died last
	// first.
	Dead(ctx context.Context, of school.ID, kinds []job.Kind, limit int) ([]job.Job, error)

	// CountUnfinished returns how many jobs of the kind a school has that are not dead, at most limit.
	CountUnfinished(ctx context.Context, of school.ID, kind job.Kind, limit int) (int, error)

	// Retry makes a job of the kind run at the time now and resets its attempts to 0. The job must
	// be dead or waiting, or its lease must have expired; otherwise, or if the job does not exist,
	// Retry returns NotFound.
	Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error

	// DeleteDead deletes at most limit dead jobs of the kind, of all schools, whose last attempt
	// began at or before the given time, and returns how many it deleted.
	DeleteDead(ctx context.Context, kind job.Kind, before time.Time, limit int) (int, error)

	// Backlog counts the jobs of all schools by kind and state, ordered by the names of both. It
	// omits kinds and states without jobs.
	Backlog(ctx context.Context) ([]Backlog, error)

	// Subscribe returns a channel that receives a value soon after a job of the kind was added, by
	// this process or another, or was retried. Wake-ups may be spurious, and may be lost after an
	// outage; workers therefore also poll. The channel is closed when ctx ends.
	Subscribe(ctx context.Context, kind job.Kind) <-chan struct{}
}

// Backlog counts the jobs of one kind in one state.
type Backlog struct {
	Kind  job.Kind
	State job.State
	Jobs  int64     // at least 1
	RunAt time.Time // the earliest RunAt of these jobs
}
