package outgoing

import (
	"context"
	"sync"

	"lyceum/adapters/limiter"
)

// newSlots returns slots for turns. There are fewer than processors, so that turns leave some to
// requests.
func newSlots() chan struct{} { return make(chan struct{}, max(1, limiter.Processors()/2)) }

// turn is the right of a TLS handshake to use a processor, which the handshakes of a client share.
type turn struct {
	ctx   context.Context // of the handshake
	slots chan struct{}

	mu    sync.Mutex // guards the following
	held  bool
	ended bool // whether the handshake has ended
}

// begin waits for a slot, unless t holds one or the handshake has ended.
func (t *turn) begin() error {
	t.mu.Lock()
	done := t.held || t.ended
	t.mu.Unlock()
	if done {
		return nil
	}
	select {
	case t.slots <- struct{}{}:
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended { // concurrently
		<-t.slots
		return nil
	}
	t.held = true
	return nil
}

// end gives the slot back.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held {
		t.held = false
		<-t.slots
	}
}

// stop ends the handshake: begin does not wait any longer.
func (t *turn) stop() {
	t.end()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}
