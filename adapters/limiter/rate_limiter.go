package limiter

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateConfig configures a RateLimiter.
type RateConfig struct {
	Quota  int           // operations of one origin per Window, which may start in one burst; positive
	Window time.Duration // time in which a used quota is restored evenly; positive
	Kept   int           // number of origins to track; the least recently used is dropped; positive
}

// perSecond returns the number of operations of one origin per second.
func (c RateConfig) perSecond() float64 { return float64(c.Quota) / c.Window.Seconds() }

// RateLimiter limits how often operations of each origin start. It tracks a bounded number of
// origins and is safe for concurrent use. A nil RateLimiter has no limit.
type RateLimiter struct {
	cfg     RateConfig
	mu      sync.Mutex
	buckets *recent[*rate.Limiter]
	refused int64
}

// Budget is the remaining quota of an origin.
type Budget struct {
	Remaining int           // operations that may start now
	Next      time.Duration // time until one more operation may start
	Reset     time.Duration // time until the whole quota is restored
}

// NewRateLimiter returns a RateLimiter in which every origin has its whole quota.
func NewRateLimiter(cfg RateConfig) *RateLimiter {
	return &RateLimiter{cfg: cfg, buckets: newRecent[*rate.Limiter](cfg.Kept)}
}

// Config returns the configuration.
func (r *RateLimiter) Config() RateConfig { return r.cfg }

// Take uses one unit of the quota of origin and reports whether one was left.
func (r *RateLimiter) Take(origin [16]byte) (Budget, bool) {
	if r == nil {
		return Budget{}, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	l := r.of(origin)
	ok := l.AllowN(now, 1)
	if !ok {
		r.refused++
	}
	return r.budget(l, now), ok
}

// Charge uses n more units of the quota of origin, at most a whole quota. Take fails until units that
// were not left are restored.
func (r *RateLimiter) Charge(origin [16]byte, n int) Budget {
	if r == nil {
		return Budget{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	l := r.of(origin)
	l.ReserveN(now, min(n, r.cfg.Quota))
	return r.budget(l, now)
}

// Restore gives back n units of the quota of origin that Charge has used. The quota does not become
// larger than a whole one.
func (r *RateLimiter) Restore(origin [16]byte, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(origin).ReserveN(time.Now(), -n)
}

// Check reports whether one unit of the quota of origin is left, without using it. If none is left,
// the operation counts as rejected.
func (r *RateLimiter) Check(origin [16]byte) (Budget, bool) {
	if r == nil {
		return Budget{}, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l, ok := r.buckets.find(origin)
	if !ok {
		return Budget{Remaining: r.cfg.Quota}, true
	}
	b := r.budget(l, time.Now())
	if b.Remaining == 0 {
		r.refused++
	}
	return b, b.Remaining > 0
}

// Refused returns the number of operations rejected since the start.
func (r *RateLimiter) Refused() int64 {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused
}

// of returns the rate limiter of origin, or a new one with its whole quota if origin is not tracked.
// The caller must hold mu.
func (r *RateLimiter) of(origin [16]byte) *rate.Limiter {
	return r.buckets.use(origin, func() *rate.Limiter {
		return rate.NewLimiter(rate.Limit(r.cfg.perSecond()), r.cfg.Quota)
	})
}

func (r *RateLimiter) budget(l *rate.Limiter, now time.Time) Budget {
	const rounding = 1e-6 // in units; rate.Limiter has the same tolerance
	units := l.TokensAt(now) + rounding
	left := max(int(math.Floor(units)), 0) // negative after Charge
	until := func(wanted int) time.Duration {
		missing := max(float64(wanted)-units, 0)
		return time.Duration(missing / float64(l.Limit()) * float64(time.Second))
	}
	return Budget{Remaining: left, Next: until(min(left+1, r.cfg.Quota)), Reset: until(r.cfg.Quota)}
}
