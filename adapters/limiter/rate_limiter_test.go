package limiter_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

// The whole quota can be used at once. It is restored evenly within the window, for each
// origin separately.
func TestRateLimiterTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.NewRateLimiter(limiter.RateConfig{Quota: 3, Window: time.Minute, Kept: 10})
		a, b := [16]byte{1}, [16]byte{2}
		for _, step := range []struct {
			wait   time.Duration
			origin [16]byte
			ok     bool
			want   limiter.Budget
		}{
			{0, a, true, limiter.Budget{Remaining: 2, Next: 20 * time.Second, Reset: 20 * time.Second}},
			{0, a, true, limiter.Budget{Remaining: 1, Next: 20 * time.Second, Reset: 40 * time.Second}},
			{0, a, true, limiter.Budget{Remaining: 0, Next: 20 * time.Second, Reset: time.Minute}},
			{0, a, false, limiter.Budget{Remaining: 0, Next: 20 * time.Second, Reset: time.Minute}},
			{0, b, true, limiter.Budget{Remaining: 2, Next: 20 * time.Second, Reset: 20 * time.Second}},
			{15 * time.Second, a, false, limiter.Budget{Remaining: 0, Next: 5 * time.Second, Reset: 45 * time.Second}},
			{5 * time.Second, a, true, limiter.Budget{Remaining: 0, Next: 20 * time.Second, Reset: time.Minute}},
			{time.Hour, a, true, limiter.Budget{Remaining: 2, Next: 20 * time.Second, Reset: 20 * time.Second}},
		} {
			time.Sleep(step.wait)
			got, ok := l.Take(step.origin)
			is.Equal(ok, step.ok)
			is.Equal(rounded(got), step.want)
		}
		is.Equal(l.Refused(), int64(2))
	})
}

// rounded returns b with its times rounded to a millisecond, because they are computed with
// fractions.
func rounded(b limiter.Budget) limiter.Budget {
	b.Next, b.Reset = b.Next.Round(time.Millisecond), b.Reset.Round(time.Millisecond)
	return b
}

func TestRateLimiterCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.NewRateLimiter(limiter.RateConfig{Quota: 1, Window: time.Minute, Kept: 10})
		for range 3 {
			b, ok := l.Check([16]byte{1})
			is.True(ok)
			is.Equal(b, limiter.Budget{Remaining: 1})
		}
		_, ok := l.Take([16]byte{1})
		is.True(ok)
		b, ok := l.Check([16]byte{1})
		is.True(!ok)
		is.Equal(rounded(b), limiter.Budget{Next: time.Minute, Reset: time.Minute})
		is.Equal(l.Refused(), int64(1))
		time.Sleep(time.Minute)
		_, ok = l.Check([16]byte{1})
		is.True(ok)
	})
}

// A charge uses units that are not left. They are restored before the next operation.
func TestRateLimiterCharge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.NewRateLimiter(limiter.RateConfig{Quota: 6, Window: time.Minute, Kept: 10})
		origin := [16]byte{1}
		is.Equal(rounded(l.Charge(origin, 2)), limiter.Budget{Remaining: 4, Next: 10 * time.Second, Reset: 20 * time.Second})
		is.Equal(rounded(l.Charge(origin, 100)), limiter.Budget{Next: 30 * time.Second, Reset: 80 * time.Second}) // the whole quota
		_, ok := l.Take(origin)
		is.True(!ok)
		time.Sleep(29 * time.Second)
		_, ok = l.Take(origin)
		is.True(!ok)
		time.Sleep(time.Second)
		_, ok = l.Take(origin)
		is.True(ok)
		_, ok = l.Take([16]byte{2})
		is.True(ok)
		is.Equal((*limiter.RateLimiter)(nil).Charge(origin, 2), limiter.Budget{})
	})
}

// Restore gives back what was charged, at most a whole quota.
func TestRateLimiterRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		r := limiter.NewRateLimiter(limiter.RateConfig{Quota: 10, Window: 10 * time.Second, Kept: 10})
		r.Charge([16]byte{1}, 10)
		r.Charge([16]byte{1}, 5)
		_, ok := r.Check([16]byte{1})
		is.True(!ok)
		r.Restore([16]byte{1}, 9)
		b, ok := r.Check([16]byte{1})
		is.True(ok)
		is.Equal(b.Remaining, 4)
		r.Restore([16]byte{1}, 100)
		time.Sleep(time.Second)
		b, _ = r.Check([16]byte{1})
		is.Equal(b.Remaining, 10)
	})
}

// The limiter tracks the most recently used origins only.
func TestRateLimiterTracksRecentOrigins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.NewRateLimiter(limiter.RateConfig{Quota: 1, Window: time.Hour, Kept: 2})
		take := func(origin byte) bool {
			_, ok := l.Take([16]byte{origin})
			return ok
		}
		is.True(take(1))
		is.True(take(2))
		is.True(!take(1)) // origin 1 is now more recent than 2
		is.True(take(3))  // origin 3 replaces 2
		is.True(!take(1))
		is.True(take(2)) // origin 2 replaces 3
		is.True(take(3))
	})
}

func TestRateLimiterOff(t *testing.T) {
	is := is.New(t)
	var off *limiter.RateLimiter
	_, ok := off.Take([16]byte{1})
	is.True(ok)
	_, ok = off.Check([16]byte{1})
	is.True(ok)
	is.Equal(off.Refused(), int64(0))
}

func TestRateLimiterUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.NewRateLimiter(limiter.RateConfig{Quota: 5, Window: time.Hour, Kept: 3})
		var taken atomic.Int64
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if _, ok := l.Take([16]byte{1}); ok {
					taken.Add(1)
				}
			})
		}
		wg.Wait()
		is.Equal(taken.Load(), int64(5))
		is.Equal(l.Refused(), int64(45))
	})
}
