package limits

import (
	"context"
	"time"

	"lyceum/adapters/limiter"
)

// delayedRefusals is the maximum number of concurrently delayed refusals. Each uses a connection
// and a goroutine, about 20 KB.
const delayedRefusals = 2000

// delay delays refusals. Without it, clients that retry immediately would occupy the processors and
// slow down requests of other clients.
type delay struct {
	lasts time.Duration // 0: no delay
	slots chan struct{} // one slot for each delayed refusal; while all are taken, refusals are not delayed
}

func newDelay(lasts time.Duration) delay {
	return delay{lasts: lasts, slots: make(chan struct{}, delayedRefusals)}
}

// Wait pauses until the refusal may be sent, or until ctx ends. The caller must not hold a slot.
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
	_ = limiter.Pause(ctx, d.lasts)
}
