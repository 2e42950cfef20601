package admission

import (
	"context"
	"time"
)

// Spacing spreads the operations of each origin over time: beyond its rate they wait.
// An operation that costs much counts as several.
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

// Wait returns when an operation of an origin may begin that counts as n. The error
// is ErrTimeout, at once, if that is too late, or that of ctx.
func (s *Spacing) Wait(ctx context.Context, origin [16]byte, n int) error {
	return s.keep(ctx, origin, n, func(time.Time) bool { return true })
}

// WaitBesideOthers is Wait, but does not wait while no other origin is active.
func (s *Spacing) WaitBesideOthers(ctx context.Context, origin [16]byte, n int) error {
	return s.keep(ctx, origin, n, func(now time.Time) bool { return s.near.note(origin, now) })
}

func (s *Spacing) keep(ctx context.Context, origin [16]byte, n int, applies func(now time.Time) bool) error {
	begin, err := s.reserve(origin, n, applies)
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

// reserve returns after what time an operation may begin that counts as n: it waits
// for those before it, and those after it wait for all of it.
func (s *Spacing) reserve(origin [16]byte, n int, applies func(now time.Time) bool) (time.Duration, error) {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	now := time.Now()
	if !applies(now) {
		return 0, nil
	}
	l := s.rates.of(origin)
	missing := 1 - l.TokensAt(now)
	begin := max(time.Duration(missing/float64(l.Limit())*float64(time.Second)), 0)
	if begin > s.wait {
		s.rates.refused++
		return 0, ErrTimeout
	}
	for n > 0 { // a reservation is for a quota at most
		part := min(n, s.rates.cfg.Quota)
		l.ReserveN(now, part)
		n -= part
	}
	return begin, nil
}
