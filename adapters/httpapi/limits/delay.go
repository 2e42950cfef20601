package limits

import (
	"context"
	"time"
)

// delayedRefusals is the maximum number of concurrently delayed refusals. Each uses a connection
// and a goroutine, about 20 KB.
const delayedRefusals = 2000

// delay delays refusals. Without it, clients that retry immediately would occupy the processors and
// slow down requests of other clients.
type delay struct {
	lasts time.Duration // 0: no delay
	slots chan struct{} // one for each delayed refusal; while it is full, refusals are not delayed
}

func newDelay(lasts time.Duration) delay {
	return delay{lasts: lasts, slots: make(chan struct{}, delayedRefusals)}
}

// Wait returns when a refusal may be sent. The caller must not hold a slot.
func (d delay) Wait(ctx context.Context) {
	if d.lasts <= 0 {
		return
	}
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	default:
		return
	}
	timer := time.NewTimer(d.lasts)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
