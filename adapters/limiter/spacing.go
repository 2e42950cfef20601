package limiter

import (
	"context"
	"time"
)

// Spacing delays operations of each origin that exceed its rate. An operation may count as several.
// A Spacing is safe for concurrent use.
type Spacing struct {
	rates     *RateLimiter
	wait      time.Duration
	neighbors neighbors // guarded by the mutex of rates
}

// NewSpacing returns a Spacing that delays operations by at most wait.
func NewSpacing(cfg RateConfig, wait time.Duration) *Spacing {
	return &Spacing{rates: NewRateLimiter(cfg), wait: wait}
}

// Wait returns when an operation of origin that counts as n may start. It returns ErrTimeout
// at once if the delay would be too long, or the error of ctx.
func (s *Spacing) Wait(ctx context.Context, origin [16]byte, n int) error {
	return s.keep(ctx, origin, n, func(time.Time) bool { return true })
}

// WaitBesideOthers is Wait, but it does not delay the operation while no other origin is
// active.
func (s *Spacing) WaitBesideOthers(ctx context.Context, origin [16]byte, n int) error {
	return s.keep(ctx, origin, n, func(now time.Time) bool { return s.neighbors.note(origin, now) })
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

// reserve returns the delay of an operation that counts as n. The operation waits for earlier ones;
// later ones wait for all its n units.
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
	for n > 0 { // one reservation is for at most Quota units
		part := min(n, s.rates.cfg.Quota)
		l.ReserveN(now, part)
		n -= part
	}
	return begin, nil
}
