package admission_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/admission"
)

// The whole quota may be used at once, and is restored evenly within the window,
// for each origin by itself.
func TestRateLimiterTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := admission.NewRateLimiter(admission.RateConfig{Quota: 3, Window: time.Minute, Kept: 10})
		a, b := [16]byte{1}, [16]byte{2}
		for _, step := range []struct {
			wait   time.Duration
			origin [16]byte
			ok     bool
			want   admission.Budget
		}{
			{0, a, true, admission.Budget{Left: 2, Next: 20 * time.Second, Reset: 20 * time.Second}},
			{0, a, true, admission.Budget{Left: 1, Next: 20 * time.Second, Reset: 40 * time.Second}},
			{0, a, true, admission.Budget{Left: 0, Next: 20 * time.Second, Reset: time.Minute}},
			{0, a, false, admission.Budget{Left: 0, Next: 20 * time.Second, Reset: time.Minute}},
			{0, b, true, admission.Budget{Left: 2, Next: 20 * time.Second, Reset: 20 * time.Second}},
			{15 * time.Second, a, false, admission.Budget{Left: 0, Next: 5 * time.Second, Reset: 45 * time.Second}},
			{5 * time.Second, a, true, admission.Budget{Left: 0, Next: 20 * time.Second, Reset: time.Minute}},
			{time.Hour, a, true, admission.Budget{Left: 2, Next: 20 * time.Second, Reset: 20 * time.Second}},
		} {
			time.Sleep(step.wait)
			got, ok := l.Take(step.origin)
			is.Equal(ok, step.ok)
			is.Equal(rounded(got), step.want)
		}
		is.Equal(l.Refused(), int64(2))
	})
}

// rounded returns b with its times rounded to a millisecond: they are computed with
// fractions.
func rounded(b admission.Budget) admission.Budget {
	b.Next, b.Reset = b.Next.Round(time.Millisecond), b.Reset.Round(time.Millisecond)
	return b
}

func TestRateLimiterCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := admission.NewRateLimiter(admission.RateConfig{Quota: 1, Window: time.Minute, Kept: 10})
		for range 3 {
			b, ok := l.Check([16]byte{1})
			is.True(ok)
			is.Equal(b, admission.Budget{Left: 1})
		}
		_, ok := l.Take([16]byte{1})
		is.True(ok)
		b, ok := l.Check([16]byte{1})
		is.True(!ok)
		is.Equal(rounded(b), admission.Budget{Next: time.Minute, Reset: time.Minute})
		is.Equal(l.Refused(), int64(1))
		time.Sleep(time.Minute)
		_, ok = l.Check([16]byte{1})
		is.True(ok)
	})
}

// However many origins there are, the limiter remembers those that were used last.
func TestRateLimiterForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := admission.NewRateLimiter(admission.RateConfig{Quota: 1, Window: time.Hour, Kept: 2})
		take := func(origin byte) bool {
			_, ok := l.Take([16]byte{origin})
			return ok
		}
		is.True(take(1))
		is.True(take(2))
		is.True(!take(1)) // used later than 2 now
		is.True(take(3))  // in the place of 2
		is.True(!take(1))
		is.True(take(2)) // in the place of 3
		is.True(take(3))
	})
}

func TestRateLimiterOff(t *testing.T) {
	is := is.New(t)
	var off *admission.RateLimiter
	_, ok := off.Take([16]byte{1})
	is.True(ok)
	_, ok = off.Check([16]byte{1})
	is.True(ok)
	is.Equal(off.Refused(), int64(0))
}

func TestRateLimiterUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := admission.NewRateLimiter(admission.RateConfig{Quota: 5, Window: time.Hour, Kept: 3})
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
