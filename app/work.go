package app

import (
	"context"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/ports"
)

// finishTime is how long the note that a job is done may take.
const finishTime = 2 * time.Second

// work takes the job of the kind that is due longest, does it within half of the
// lease, and tells whether there was one. A job that fails is put off, or is dead
// when it never can be done (a fault of kind Invalid) or was tried too often. An
// error says that the queue itself failed; the job comes back when its lease
// ends.
func (d deps) work(
	ctx context.Context, queue ports.Queue, kind job.Kind, lease time.Duration, retry job.Retry,
	do func(ctx context.Context, j job.Job) error,
) (bool, error) {
	now := d.clock.Now()
	jobs, err := queue.Lease(ctx, kind, 1, now, now.Add(lease))
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	j := jobs[0]
	if j.Attempts > retry.Attempts {
		// Nobody lived to tell how it went; perhaps it is the job that kills.
		return true, given(queue.Bury(ctx, j, "every worker that took it has died"))
	}
	limited, cancel := context.WithTimeout(ctx, lease/2)
	defer cancel()
	return true, d.settle(ctx, queue, retry, j, do(limited, j))
}

// settle gives the job back to the queue according to how it went.
func (d deps) settle(ctx context.Context, queue ports.Queue, retry job.Retry, j job.Job, failure error) error {
	if failure == nil {
		// Also when ctx has just ended: the job is done, and must not be done twice.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
		defer cancel()
		return given(queue.Finish(ctx, j))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next, again := retry.After(j.Attempts, d.spread(), d.clock.Now())
	if again && !fault.Is(failure, fault.Invalid) {
		return given(queue.Postpone(ctx, j, next, failure.Error()))
	}
	return given(queue.Bury(ctx, j, failure.Error()))
}

// given returns the error of giving a job back. A lease that was lost is
// somebody else's business.
func given(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// spread returns a random number from 0 to 1.
func (d deps) spread() float64 { return float64(d.ids.Random(1)[0]) / 255 }
