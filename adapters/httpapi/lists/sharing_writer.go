package lists

import (
	"context"

	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
)

// SharingWriter is a writer for a response of any length. Between its writes it holds a slot for
// the requests of its school, so that the work for the response takes turns with them. It holds
// none while it writes, because clients can read slowly.
type SharingWriter struct {
	Flusher
	ctx    context.Context
	lanes  limits.Lanes
	client limits.Client
	slot   *limiter.Slot
}

// Sharing returns a SharingWriter that writes to w. The caller must call Release.
func (s *Server) Sharing(ctx context.Context, of limits.Client, w Flusher) (*SharingWriter, error) {
	shared := &SharingWriter{Flusher: w, ctx: ctx, lanes: s.Lanes, client: of}
	return shared, shared.enter(true)
}

// enter waits for a slot. If no slot is free in time, it returns an error if first is true, and else
// tries again, because the response has begun.
func (w *SharingWriter) enter(first bool) error {
	return retryPage(w.ctx, first, func() (err error) {
		w.slot, err = w.lanes.EnterSchool(w.ctx, nil, w.client)
		return err
	})
}

// Write writes to the client without a slot, and then waits for one.
func (w *SharingWriter) Write(b []byte) (int, error) {
	w.slot.Release()
	n, err := w.Flusher.Write(b)
	if err == nil {
		err = w.enter(false)
	}
	return n, err
}

// Flush is like Write.
func (w *SharingWriter) Flush() error {
	w.slot.Release()
	if err := w.Flusher.Flush(); err != nil {
		return err
	}
	return w.enter(false)
}

// Release releases the slot.
func (w *SharingWriter) Release() { w.slot.Release() }

// retryPage calls enter, which waits for slots for a part of a response. If the server is busy, it
// returns the error for the first part, and tries again for later parts.
func retryPage(ctx context.Context, first bool, enter func() error) error {
	for try := 1; ; try++ {
		err := enter()
		if err == nil || first || try == pageTries || !fault.Is(err, fault.Unavailable) {
			return err
		}
		if err := limiter.Pause(ctx, pagePause); err != nil {
			return err
		}
	}
}
