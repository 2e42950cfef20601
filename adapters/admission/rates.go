package admission

import (
	"container/list"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateConfig is how often an operation may begin.
type RateConfig struct {
	Quota  int           // operations of one origin in a Window, and at once; above 0
	Window time.Duration // in which a used quota is restored, evenly; above 0
	Kept   int           // origins that are remembered; the one unused for longest is forgotten; above 0
}

// RateLimiter bounds how often operations begin, for each origin by itself. It
// remembers a bounded number of origins. It is safe for concurrent use. A nil
// RateLimiter bounds nothing.
type RateLimiter struct {
	cfg     RateConfig
	mu      sync.Mutex
	buckets map[[16]byte]*list.Element // of *bucket
	recent  list.List                  // the same, the one used last in front
	refused int64
}

type bucket struct {
	origin  [16]byte
	limiter *rate.Limiter
}

// Budget is what is left of the quota of an origin.
type Budget struct {
	Left  int           // operations that may begin now
	Next  time.Duration // until one more may begin
	Reset time.Duration // until the whole quota is restored
}

// NewRateLimiter returns a RateLimiter that knows no origin yet.
func NewRateLimiter(cfg RateConfig) *RateLimiter {
	return &RateLimiter{cfg: cfg, buckets: map[[16]byte]*list.Element{}}
}

// Config returns what the limiter was made of.
func (r *RateLimiter) Config() RateConfig { return r.cfg }

// Take uses one unit of the quota of an origin, and reports whether there was one.
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

// Check reports whether a unit is left of the quota of an origin, and uses none. An
// operation that it refuses counts as refused.
func (r *RateLimiter) Check(origin [16]byte) (Budget, bool) {
	if r == nil {
		return Budget{}, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.buckets[origin]
	if !ok {
		return Budget{Left: r.cfg.Quota}, true
	}
	b := r.budget(e.Value.(*bucket).limiter, time.Now())
	if b.Left == 0 {
		r.refused++
	}
	return b, b.Left > 0
}

// Refused returns how many operations were refused since the start.
func (r *RateLimiter) Refused() int64 {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused
}

// of returns the bucket of an origin, a full one if it is unknown.
func (r *RateLimiter) of(origin [16]byte) *rate.Limiter {
	if e, ok := r.buckets[origin]; ok {
		r.recent.MoveToFront(e)
		return e.Value.(*bucket).limiter
	}
	if len(r.buckets) >= r.cfg.Kept {
		oldest := r.recent.Remove(r.recent.Back()).(*bucket)
		delete(r.buckets, oldest.origin)
	}
	perSecond := float64(r.cfg.Quota) / r.cfg.Window.Seconds()
	b := &bucket{origin: origin, limiter: rate.NewLimiter(rate.Limit(perSecond), r.cfg.Quota)}
	r.buckets[origin] = r.recent.PushFront(b)
	return b.limiter
}

func (r *RateLimiter) budget(l *rate.Limiter, now time.Time) Budget {
	const rounding = 1e-6 // of a unit, which the limiter forgives too
	units := l.TokensAt(now) + rounding
	left := int(math.Floor(units))
	until := func(wanted int) time.Duration {
		missing := max(float64(wanted)-units, 0)
		return time.Duration(missing / float64(l.Limit()) * float64(time.Second))
	}
	return Budget{Left: left, Next: until(min(left+1, r.cfg.Quota)), Reset: until(r.cfg.Quota)}
}
