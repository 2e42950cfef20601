package worker

import (
	"log/slog"
	"time"

	"lyceum/adapters/tracing"
)

// workers contains the state of the goroutines for one kind of work.
type workers struct {
	*Pool
	work Work
	log  *slog.Logger
	// more signals that a worker has found a job, so another worker should look for one too.
	more chan struct{}
}

// run handles jobs until the pool stops.
func (t *workers) run() {
	wake := t.subscriber.Subscribe(t.stopping, t.work.Kind)
	failures := 0
	for t.stopping.Err() == nil {
		if err := t.drain(); err != nil && t.working.Err() == nil { // a canceled worker has not failed
			failures++
			t.log.Warn("background worker error", slog.Int("failures", failures), slog.Any("error", err))
			t.wait(nil, nil, t.pause(failures))
			continue
		}
		failures = 0
		if open := t.wait(wake, t.more, t.work.Poll); !open {
			wake = nil // closed: only polling remains
		}
	}
}

// drain handles jobs until there is none.
func (t *workers) drain() error {
	for t.stopping.Err() == nil {
		found, err := t.next()
		if err != nil {
			return err
		}
		if !found {
			t.report(false)
			return nil
		}
		t.report(true)
	}
	return nil
}

// next handles a job, if there is one, and records a span.
func (t *workers) next() (found bool, err error) {
	if !tracing.On() {
		return t.work.Next(t.working)
	}
	ctx, span := tracing.Begin(t.working, "poll "+string(t.work.Kind))
	if found, err = t.work.Next(ctx); found {
		span.Rename("job " + string(t.work.Kind))
	}
	span.End(err != nil)
	return found, err
}

// report signals the other workers if there may be more jobs. Otherwise it withdraws the signal.
func (t *workers) report(more bool) {
	if more {
		select {
		case t.more <- struct{}{}:
		default:
		}
		return
	}
	select {
	case <-t.more:
	default:
	}
}

// wait waits until the pool stops, a channel receives a value, or the duration longest is over. It
// reports whether wake is still open.
func (t *workers) wait(wake, more <-chan struct{}, longest time.Duration) bool {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-t.stopping.Done():
	case <-timer.C:
	case <-more:
	case _, open := <-wake:
		return open
	}
	return true
}

// pause returns the delay after a number of consecutive failures: a hundredth of the poll
// interval, doubled with each failure, up to the whole interval.
func (t *workers) pause(failures int) time.Duration {
	pause := t.work.Poll / 100
	for range failures - 1 {
		if pause *= 2; pause >= t.work.Poll {
			break
		}
	}
	return min(pause, t.work.Poll)
}
