package jobs

import (
	"context"
	"errors"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/ports"
)

const (
	// outcomeTimeout is how long a worker tries to save the outcome of a job while the queue is
	// unavailable. A job without an outcome waits until its lease expires.
	outcomeTimeout = 20 * time.Second
	// outcomePause is the pause after the first attempt; each further pause is twice as long.
	outcomePause = 100 * time.Millisecond
	// lockTimeout is how long an attempt waits for a lock, or for a connection to the store. Other
	// transactions of the same school, such as bulk requests, can hold them for much longer. Without
	// the limit they would block the jobs of all schools.
	lockTimeout = 500 * time.Millisecond
	// lockPause is the pause after an attempt that could not get a lock. Such an attempt is not
	// counted.
	lockPause = 2 * time.Second
	// maxLostLeases is how many leases of a job may expire without an outcome before the job is
	// marked dead, because the job may crash the servers that run it.
	maxLostLeases = 3
)

// A Handler runs the jobs of one kind.
type Handler struct {
	Queue ports.Queue
	Kind  job.Kind
	Lease time.Duration // twice the maximum duration of an attempt
	Retry job.RetryPolicy
	// Handle runs one attempt of a job.
	Handle func(ctx context.Context, j job.Job) error
	// IsPermanent reports whether every later attempt would fail too. If it is nil, no error is
	// permanent.
	IsPermanent func(err error) bool
	// OnExhausted cleans up before a job is marked dead; nil: there is nothing to clean up.
	OnExhausted func(ctx context.Context, j job.Job) error
}

// HeldError is the error with which Handler.Handle holds a job back. The attempt does not count.
type HeldError struct{ job.Hold }

func (e *HeldError) Error() string { return e.Cause }

// RunNext leases the job that has been due longest, runs one attempt, and reports whether there was
// a job. A failed job is rescheduled or marked dead. An error means that the queue failed or ctx
// ended; the job runs again after its lease expires.
func (h Handler) RunNext(ctx context.Context, d usecase.Deps) (bool, error) {
	now := d.Clock.Now()
	jobs, err := h.Queue.Lease(ctx, h.Kind, 1, now, now.Add(h.Lease))
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	j := jobs[0]
	if j.Attempts > h.Retry.MaxAttempts || j.Attempts > maxLostLeases && j.LastError == "" {
		return true, h.markDead(ctx, j, "every worker that ran this job crashed")
	}
	limited, cancel := context.WithTimeout(ctx, h.Lease/2)
	defer cancel()
	failure := h.Handle(ports.WithLockTimeout(usecase.AsJob(limited, j), lockTimeout), j)
	switch {
	case failure == nil:
		return true, h.complete(ctx, j)
	case ctx.Err() != nil:
		return true, ctx.Err()
	}
	if errors.Is(failure, ports.ErrLockTimeout) {
		failure = &HeldError{job.Hold{Until: d.Clock.Now().Add(lockPause), Cause: failure.Error()}}
	}
	if held, ok := errors.AsType[*HeldError](failure); ok {
		return true, saveOutcome(ctx, func(ctx context.Context) error { return h.Queue.Defer(ctx, j, held.Until, held.Cause) })
	}
	again, retry := h.Retry.Next(j.Attempts, d.Jitter(), d.Clock.Now())
	if retry && (h.IsPermanent == nil || !h.IsPermanent(failure)) {
		return true, saveOutcome(ctx, func(ctx context.Context) error { return h.Queue.Reschedule(ctx, j, again, failure.Error()) })
	}
	return true, h.markDead(ctx, j, failure.Error())
}

func (h Handler) markDead(ctx context.Context, j job.Job, cause string) error {
	if h.OnExhausted != nil {
		limited, cancel := context.WithTimeout(ctx, h.Lease/2)
		defer cancel()
		if err := h.OnExhausted(usecase.AsJob(limited, j), j); err != nil {
			return err
		}
	}
	return saveOutcome(ctx, func(ctx context.Context) error { return h.Queue.MarkDead(ctx, j, cause) })
}

// complete deletes j from the queue even if ctx has just ended, so that j does not run twice.
func (h Handler) complete(ctx context.Context, j job.Job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), completeTimeout(ctx))
	defer cancel()
	return saveOutcome(ctx, func(ctx context.Context) error { return h.Queue.Complete(ctx, j) })
}

// completeTimeout returns the timeout of complete. It is short after ctx has ended: a server that
// is stopping must not wait for an unavailable database.
func completeTimeout(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return 2 * time.Second
	}
	return outcomeTimeout
}

// saveOutcome calls save, and repeats it while the queue is unavailable, for at most
// outcomeTimeout. It returns nil if the lease was lost, because another worker then owns the job.
func saveOutcome(ctx context.Context, save func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, outcomeTimeout)
	defer cancel()
	for pause := outcomePause; ; pause *= 2 {
		err := save(ctx)
		switch {
		case fault.Is(err, fault.NotFound):
			return nil
		case !fault.Is(err, fault.Unavailable):
			return err
		}
		pausing, end := context.WithTimeout(ctx, pause)
		<-pausing.Done()
		end()
		if ctx.Err() != nil {
			return err
		}
	}
}

// isInvalid reports whether err means that the input of the job is invalid, so that a retry would
// fail too.
func isInvalid(err error) bool { return fault.Is(err, fault.Invalid) }
