package limiter

import (
	"context"
	"time"

	"golang.org/x/time/rate"
)

// Spacing delays operations of an origin that exceed its rate. One operation may count as several.
// A Spacing is safe for concurrent use.
type Spacing struct {
	rates     *RateLimiter
	wait      time.Duration
	neighbors *Neighbors
}

// NewSpacing returns a Spacing that delays operations by at most wait. WaitBesideOthers records the
// origin of each operation in neighbors.
func NewSpacing(cfg RateConfig, wait time.Duration, neighbors *Neighbors) *Spacing {
	return &Spacing{rates: NewRateLimiter(cfg), wait: wait, neighbors: neighbors}
}

// Wait waits until an operation of origin that counts as n may start, and returns nil. It returns
// ErrTimeout at once if the delay would be too long, or the error of ctx.
func (s *Spacing) Wait(ctx context.Context, origin [16]byte, n int) error {
	return s.keep(ctx, origin, n, func(time.Time) bool { return true })
}

// WaitBesideOthers is like Wait, but does not delay the operation while no other origin is active.
func (s *Spacing) WaitBesideOthers(ctx context.Context, origin [16]byte, n int) error {
	return s.keep(ctx, origin, n, func(now time.Time) bool { return s.neighbors.note(origin, now) })
}

// ChargeBesideOthers delays later operations of origin as if an operation that counts as n had
// started. It does nothing while no other origin is active.
func (s *Spacing) ChargeBesideOthers(origin [16]byte, n int) {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	now := time.Now()
	if s.neighbors.note(origin, now) {
		s.take(s.rates.of(origin), now, n)
	}
}

// Charge delays later operations of origin as if an operation that counts as n had started.
func (s *Spacing) Charge(origin [16]byte, n int) {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	s.take(s.rates.of(origin), time.Now(), n)
}

// take uses n units of l, whose remaining quota may become negative. The caller must hold the mutex
// of rates.
func (s *Spacing) take(l *rate.Limiter, now time.Time, n int) {
	for n > 0 { // a single reservation is limited to Quota units
		part := min(n, s.rates.cfg.Quota)
		l.ReserveN(now, part)
		n -= part
	}
}

func (s *Spacing) keep(ctx context.Context, origin [16]byte, n int, applies func(now time.Time) bool) error {
	begin, err := s.reserve(origin, n, applies)
	if err != nil || begin <= 0 {
		return err
	}
	return Pause(ctx, begin)
}

// reserve returns the delay of an operation that counts as n. The operation waits for earlier
// operations, and later operations wait for all its n units.
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
	s.take(l, now, n)
	return begin, nil
}
