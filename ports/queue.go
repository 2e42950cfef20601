package ports

import (
	"context"
	"time"

	"lyceum/domain/job"
)

// JobRepo takes jobs within a transaction.
type JobRepo interface {
	// Add keeps new jobs of the transaction's school, all or none of them. They are
	// handed out only after the transaction, and are as durable as the rest of it.
	Add(ctx context.Context, js ...job.Job) error

	// Remove removes the school's jobs of the kind with that payload in every state,
	// with the end of the transaction. The lease of one that is leased is lost.
	Remove(ctx context.Context, kind job.Kind, payload string) error
}

// Queue hands jobs of all schools to workers, of one instance or of many. It is
// a door without a key: a job says whose school it is.
type Queue interface {
	// Lease hands out up to n jobs of the kind that may run at the instant now:
	// waiting ones whose RunAt has come, and leased ones whose lease has ended
	// (their worker is taken for dead). They are leased until the given instant, and
	// their Attempts are one more. A job is leased by one caller at a time, and no
	// caller waits for another. Schools take turns, job by job, on each instance:
	// between two jobs of a school every other school with a due job gets one. Of
	// one school's jobs those that may run longest come first.
	Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error)

	// Finish forgets a leased job. Here and in the next three, j is the job as Lease
	// returned it, and NotFound tells that the lease was lost: it ended, and
	// somebody else took the job or an operator revived it.
	Finish(ctx context.Context, j job.Job) error

	// Postpone gives a leased job back, to wait until the given instant, and keeps
	// job.Cause(cause) as its LastError.
	Postpone(ctx context.Context, j job.Job, until time.Time, cause string) error

	// Hold is Postpone for a job that was not tried: the attempt does not count.
	Hold(ctx context.Context, j job.Job, until time.Time, cause string) error

	// Bury makes a leased job dead and keeps job.Cause(cause) as its LastError.
	Bury(ctx context.Context, j job.Job, cause string) error

	// TakeBack ends at the instant now the leases that earlier runs of this server
	// took and that would end later, and returns their number: their jobs may run at
	// once. A server has the name that its store was opened with. Without a name, and
	// on a store whose jobs end with the process, no lease is of an earlier run. A
	// running server never loses a lease to TakeBack: while another process runs
	// under the same name, TakeBack ends none. It may wait some seconds to be certain.
	TakeBack(ctx context.Context, now time.Time) (int, error)

	// List returns the jobs of the kind in any of the states, all states when none
	// is given, oldest first.
	List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error)

	// Revive lets a dead or waiting job of the kind, or one whose lease has ended,
	// run at the instant now, with no attempts counted; NotFound when there is no
	// such job or its lease has not ended.
	Revive(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error

	// Backlog counts the jobs of all schools by kind and state, in the order of
	// their names; kinds and states without jobs are left out.
	Backlog(ctx context.Context) ([]Backlog, error)

	// Wake returns a channel that gets a value soon after a job of the kind was
	// added, on this instance or another, or was revived. It may get values for
	// nothing and, after an outage, miss one: a worker also looks by itself from
	// time to time. The channel is closed when ctx ends.
	Wake(ctx context.Context, kind job.Kind) <-chan struct{}
}

// Backlog is the jobs of one kind in one state.
type Backlog struct {
	Kind  job.Kind
	State job.State
	Jobs  int64     // at least 1
	RunAt time.Time // the earliest of theirs
}
