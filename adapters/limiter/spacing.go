package limiter

import (
	"context"
	"sync"
	"time"
)

// Spacing delays operations of a school that exceed its rate. The keys of a school share the rate
// fairly: an operation waits for earlier ones of its key, and for as many of each other key. Keys
// with the same last byte count as one. One operation may count as several. A Spacing is safe for
// concurrent use.
type Spacing struct {
	cfg       RateConfig
	wait      time.Duration
	neighbors *Neighbors
	mu        sync.Mutex
	backlogs  *recent[*backlog]
}

// NewSpacing returns a Spacing that delays operations by at most wait. Quota operations of a school
// may start in one burst. WaitBesideOthers records the school of each operation in neighbors.
func NewSpacing(cfg RateConfig, wait time.Duration, neighbors *Neighbors) *Spacing {
	return &Spacing{cfg: cfg, wait: wait, neighbors: neighbors, backlogs: newRecent[*backlog](cfg.Kept)}
}

// Wait waits until an operation of o that counts as n may start, and returns nil. It returns
// ErrTimeout at once if the delay would be too long, or the error of ctx.
func (s *Spacing) Wait(ctx context.Context, o Origin, n int) error {
	return s.keep(ctx, o, n, func(time.Time) bool { return true })
}

// WaitBesideOthers is like Wait, but does not delay the operation while no other school is active.
func (s *Spacing) WaitBesideOthers(ctx context.Context, o Origin, n int) error {
	return s.keep(ctx, o, n, func(now time.Time) bool { return s.neighbors.note(o, now) })
}

// ChargeBesideOthers delays later operations of o as if an operation that counts as n had started.
// It does nothing while no other school is active.
func (s *Spacing) ChargeBesideOthers(o Origin, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.neighbors.note(o, now) {
		s.of(o.School, now).add(o.Key, n)
	}
}

// Charge delays later operations of o as if an operation that counts as n had started.
func (s *Spacing) Charge(o Origin, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of(o.School, time.Now()).add(o.Key, n)
}

// of returns the backlog of a school at the time now. The caller must hold mu.
func (s *Spacing) of(school [16]byte, now time.Time) *backlog {
	b := s.backlogs.use(school, func() *backlog { return &backlog{at: now} })
	b.cover(now, s.cfg.perSecond())
	return b
}

func (s *Spacing) keep(ctx context.Context, o Origin, n int, applies func(now time.Time) bool) error {
	begin, err := s.reserve(o, n, applies)
	if err != nil || begin <= 0 {
		return err
	}
	return Pause(ctx, begin)
}

// reserve returns the delay of an operation that counts as n. Later operations wait for all its n
// units.
func (s *Spacing) reserve(o Origin, n int, applies func(now time.Time) bool) (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !applies(now) {
		return 0, nil
	}
	b := s.of(o.School, now)
	missing := b.ahead(o.Key) + 1 - float64(s.cfg.Quota)
	begin := time.Duration(max(missing, 0) / s.cfg.perSecond() * float64(time.Second))
	if begin > s.wait {
		return 0, ErrTimeout
	}
	b.add(o.Key, n)
	return begin, nil
}
