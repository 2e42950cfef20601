package ports

import (
	"context"
	"time"

	"lyceum/domain/job"
)

// JobRepo adds and deletes jobs within a transaction.
type JobRepo interface {
	// Add inserts new jobs of the transaction's school, all or none. They can be leased only after
	// the transaction is committed, and are as durable as its other writes.
	Add(ctx context.Context, js ...job.Job) error

	// Delete deletes the school's jobs of the kind with that payload, in every state. A worker that
	// has leased one loses its lease.
	Delete(ctx context.Context, kind job.Kind, payload string) error
}

// Queue leases the jobs of all schools to the workers of all servers. It is not bound to one
// school: a job contains the id of its school.
type Queue interface {
	// Lease returns up to n jobs of the kind that may run at the time now: waiting jobs whose RunAt
	// has come, and leased jobs whose lease has expired (their worker is considered dead). The jobs
	// are leased until the given time, and their Attempts are incremented. A job is leased by one
	// caller at a time, and no caller waits for another.
	//
	// On each instance schools take turns, job by job: between two jobs of a school every other
	// school with a due job gets one. Among one school's jobs those whose RunAt is earliest come
	// first.
	Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error)

	// LimitLeases sets how many unexpired leases of the kind this server holds for one school at
	// most, so that the rest of its workers is free for other schools; 0, the default, is no limit.
	// Lease ignores the due jobs of a school with that many.
	LimitLeases(kind job.Kind, perSchool int)

	// Complete deletes a leased job. Here and in the next three methods j is the job as Lease
	// returned it, and NotFound means that the lease was lost: it expired and another worker leased
	// the job, or an operator retried it.
	Complete(ctx context.Context, j job.Job) error

	// Reschedule returns a leased job to the queue, to wait until the given time, and saves
	// job.SanitizeError(cause) as its LastError.
	Reschedule(ctx context.Context, j job.Job, until time.Time, cause string) error

	// Defer is Reschedule for a job that was not tried or has not got a lock: the attempt does not
	// count.
	Defer(ctx context.Context, j job.Job, until time.Time, cause string) error

	// MarkDead makes a leased job dead and saves job.SanitizeError(cause) as its LastError.
	MarkDead(ctx context.Context, j job.Job, cause string) error

	// ReleaseOwnLeases ends at the time now the leases that earlier processes of this server took
	// and that would expire later, so that their jobs may run at once. It returns the number of
	// leases. A server is identified by the name that its store was opened with. Without a name,
	// and on a store whose jobs end with the process, there are no earlier leases. A running server
	// never loses a lease this way: while another process runs under the same name, no lease is
	// released. ReleaseOwnLeases may wait some seconds to be certain.
	ReleaseOwnLeases(ctx context.Context, now time.Time) (int, error)

	// List returns the jobs of the kind in any of the states, or in all states if none is given,
	// oldest first.
	List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error)

	// Retry makes a dead or waiting job of the kind, or one whose lease has expired, run at the
	// time now with its attempts reset to 0. NotFound if there is no such job or its lease has not
	// expired.
	Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error

	// Backlog counts the jobs of all schools by kind and state, ordered by their names; it omits
	// kinds and states without jobs.
	Backlog(ctx context.Context) ([]Backlog, error)

	// Subscribe returns a channel that receives a value soon after a job of the kind was added, on
	// this instance or another, or was retried. Wake-ups may be spurious and, after an outage,
	// lost; workers therefore also poll. The channel is closed when ctx ends.
	Subscribe(ctx context.Context, kind job.Kind) <-chan struct{}
}

// Backlog is the jobs of one kind in one state.
type Backlog struct {
	Kind  job.Kind
	State job.State
	Jobs  int64     // at least 1
	RunAt time.Time // the earliest of these jobs
}
