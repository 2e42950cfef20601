package worker

import (
	"log/slog"
	"time"
)

// team is the goroutines of one kind of work.
type team struct {
	*Pool
	work Work
	log  *slog.Logger
	more chan struct{} // one of the team has found work: another may look as well
}

// run works until the pool stops.
func (t *team) run() {
	wake := t.bell.Wake(t.stopping, t.work.Kind)
	failures := 0
	for t.stopping.Err() == nil {
		if err := t.drain(); err != nil && t.working.Err() == nil { // who was told to give up has not failed
			failures++
			t.log.Warn("background work failed", slog.Int("failures", failures), slog.Any("error", err))
			t.wait(nil, nil, t.pause(failures))
			continue
		}
		failures = 0
		if open := t.wait(wake, t.more, t.cfg.Poll); !open {
			wake = nil // it gives nothing any more, so the pool looks by itself
		}
	}
}

// drain works until there is nothing left to do.
func (t *team) drain() error {
	for t.stopping.Err() == nil {
		found, err := t.work.Next(t.working)
		if err != nil {
			return err
		}
		if !found {
			t.tell(false)
			return nil
		}
		t.tell(true)
	}
	return nil
}

// tell leaves word for the others of the team whether there is more to do.
func (t *team) tell(more bool) {
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

// wait returns when the pool stops, either channel gives something or the time is
// over, and tells whether wake is still open.
func (t *team) wait(wake, more <-chan struct{}, longest time.Duration) bool {
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

// pause is how long to wait after so many failures in a row: a hundredth of the
// time between two looks, doubled with each, up to the whole.
func (t *team) pause(failures int) time.Duration {
	pause := t.cfg.Poll / 100
	for range failures - 1 {
		if pause *= 2; pause >= t.cfg.Poll {
			break
		}
	}
	return min(pause, t.cfg.Poll)
}
