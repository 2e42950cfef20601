package app

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
	// noteTime is how long the note that a job is done, or has failed, may take. It
	// is made again after an outage, for otherwise the job waits until its lease ends.
	noteTime = 20 * time.Second
	// notePause is the first pause between two tries; each is twice the one before.
	notePause = 100 * time.Millisecond
)

// trade is how the jobs of one kind are done.
type trade struct {
	queue ports.Queue
	kind  job.Kind
	lease time.Duration // an attempt may take half of it
	retry job.Retry
	do    func(ctx context.Context, j job.Job) error
	// hopeless tells whether a failure is one that no later attempt can mend; nil:
	// none is.
	hopeless func(failure error) bool
	// giveUp settles what a job was about that is hopeless, was tried too often, or
	// whose workers have all died, before it is buried; nil: there is nothing to settle.
	giveUp func(ctx context.Context, j job.Job) error
}

// next does the job that is due longest and tells whether there was one. A job
// that fails is put off or given up. An error says that the queue itself failed;
// the job comes back when its lease ends.
func next(ctx context.Context, d usecase.Deps, t trade) (bool, error) {
	now := d.Clock.Now()
	jobs, err := t.queue.Lease(ctx, t.kind, 1, now, now.Add(t.lease))
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	j := jobs[0]
	if j.Attempts > t.retry.Attempts {
		// Nobody lived to tell how it went; perhaps it is the job that kills.
		return true, t.end(ctx, j, "every worker that took it has died")
	}
	limited, cancel := context.WithTimeout(ctx, t.lease/2)
	defer cancel()
	failure := t.do(limited, j)
	switch {
	case failure == nil:
		return true, finish(ctx, t.queue, j)
	case ctx.Err() != nil:
		return true, ctx.Err()
	}
	var held *heldError
	if errors.As(failure, &held) {
		return true, note(ctx, func(ctx context.Context) error { return t.queue.Hold(ctx, j, held.Until, held.Cause) })
	}
	again, patient := t.retry.After(j.Attempts, spread(d), d.Clock.Now())
	if patient && (t.hopeless == nil || !t.hopeless(failure)) {
		return true, note(ctx, func(ctx context.Context) error { return t.queue.Postpone(ctx, j, again, failure.Error()) })
	}
	return true, t.end(ctx, j, failure.Error())
}

// end gives the job up: it is dead, so that the operator learns of it.
func (t trade) end(ctx context.Context, j job.Job, cause string) error {
	if t.giveUp != nil {
		limited, cancel := context.WithTimeout(ctx, t.lease/2)
		defer cancel()
		if err := t.giveUp(limited, j); err != nil {
			return err
		}
	}
	return note(ctx, func(ctx context.Context) error { return t.queue.Bury(ctx, j, cause) })
}

// finish tells the queue that j is done, also when ctx has just ended: it must
// not be done twice.
func finish(ctx context.Context, queue ports.Queue, j job.Job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime(ctx))
	defer cancel()
	return note(ctx, func(ctx context.Context) error { return queue.Finish(ctx, j) })
}

// finishTime is how long finish may take: a server that is about to stop does not
// wait for a database that is away.
func finishTime(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return 2 * time.Second
	}
	return noteTime
}

// note gives a job back, and tries again while the queue is unavailable. A lease
// that was lost is another worker's business.
func note(ctx context.Context, give func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	for pause := notePause; ; pause *= 2 {
		err := give(ctx)
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

// refused tells whether a failure is a fault of what the job says.
func refused(failure error) bool { return fault.Is(failure, fault.Invalid) }

// spread returns a random number from 0 to 1.
func spread(d usecase.Deps) float64 { return float64(d.IDs.Random(1)[0]) / 255 }
