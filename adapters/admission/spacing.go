package admission

import (
	"context"
	"time"
)

// Spacing spreads the operations of each origin over time: beyond its rate they wait.
// It is safe for concurrent use.
type Spacing struct {
	rates *RateLimiter
	wait  time.Duration
	near  neighbors // guarded by the mutex of rates
}

// NewSpacing returns a Spacing at which operations wait at most so long.
func NewSpacing(cfg RateConfig, wait time.Duration) *Spacing {
	return &Spacing{rates: NewRateLimiter(cfg), wait: wait}
}

// Wait returns when an operation of an origin may begin. The error is ErrTimeout,
// at once, if that is too late, or that of ctx.
func (s *Spacing) Wait(ctx context.Context, origin [16]byte) error {
	return s.keep(ctx, origin, func(time.Time) bool { return true })
}

// WaitBesideOthers is Wait, but does not wait while no other origin is active.
func (s *Spacing) WaitBesideOthers(ctx context.Context, origin [16]byte) error {
	return s.keep(ctx, origin, func(now time.Time) bool { return s.near.note(origin, now) })
}

func (s *Spacing) keep(ctx context.Context, origin [16]byte, applies func(now time.Time) bool) error {
	begin, err := s.reserve(origin, applies)
	if err != nil || begin <= 0 {
		return err
	}
	timer := time.NewTimer(begin)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// reserve returns after what time an operation may begin.
func (s *Spacing) reserve(origin [16]byte, applies func(now time.Time) bool) (time.Duration, error) {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	now := time.Now()
	if !applies(now) {
		return 0, nil
	}
	r := s.rates.of(origin).ReserveN(now, 1)
	begin := r.DelayFrom(now)
	if begin > s.wait {
		r.CancelAt(now)
		s.rates.refused++
		return 0, ErrTimeout
	}
	return begin, nil
}
