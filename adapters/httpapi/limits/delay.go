package limits

import (
	"context"
	"time"
)

// delayedRefusals is how many refusals are held back at a time: each holds a
// connection and a goroutine, which is some 20 KB.
const delayedRefusals = 2000

// delay holds refusals back. A client that sends its next request as soon as the
// last one is refused would otherwise keep the processors busy with refusals
// alone, and requests of others would wait for those.
type delay struct {
	lasts  time.Duration // 0: nothing is held back
	places chan struct{} // full: nothing more is
}

func newDelay(lasts time.Duration) delay {
	return delay{lasts: lasts, places: make(chan struct{}, delayedRefusals)}
}

// Wait returns when a refusal may be sent. The caller holds no slot.
func (d delay) Wait(ctx context.Context) {
	if d.lasts <= 0 {
		return
	}
	select {
	case d.places <- struct{}{}:
		defer func() { <-d.places }()
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
