package limiter_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

// arrivals lets n operations arrive at once and returns the delay of each.
func arrivals(t *testing.T, n int, wait func(context.Context) error) (begun []time.Duration, errs []error) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	start := time.Now()
	for range n {
		all.Go(func() {
			err := wait(t.Context())
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			begun = append(begun, time.Since(start))
		})
	}
	all.Wait()
	return begun, errs
}

func TestSpacing(t *testing.T) {
	const second = time.Second
	a, b := limiter.Origin{School: [16]byte{1}}, limiter.Origin{School: [16]byte{2}}
	cfg := limiter.RateConfig{Quota: 2, Window: 2 * time.Second, Kept: 10}
	t.Run("operations beyond the quota wait, at most the longest wait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			s := limiter.NewSpacing(cfg, 3*time.Second, new(limiter.Neighbors))
			begun, errs := arrivals(t, 7, func(ctx context.Context) error { return s.Wait(ctx, a, 1) })
			is.Equal(begun, []time.Duration{0, 0, second, 2 * second, 3 * second})
			is.Equal(errs, []error{limiter.ErrTimeout, limiter.ErrTimeout})
			begun, _ = arrivals(t, 1, func(ctx context.Context) error { return s.Wait(ctx, b, 1) })
			is.Equal(begun, []time.Duration{0}) // each school has its own rate
		})
	})
	t.Run("operations wait for all of what one before them counts as", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			s := limiter.NewSpacing(cfg, 3*time.Second, new(limiter.Neighbors))
			begun, errs := arrivals(t, 2, func(ctx context.Context) error { return s.Wait(ctx, a, 4) })
			is.Equal(begun, []time.Duration{0, 3 * second})
			is.Equal(len(errs), 0)
			is.Equal(s.Wait(t.Context(), a, 1), limiter.ErrTimeout)
			time.Sleep(second)
			begun, _ = arrivals(t, 1, func(ctx context.Context) error { return s.Wait(ctx, a, 1) })
			is.Equal(begun, []time.Duration{3 * second})
		})
	})
	t.Run("a key waits for as many operations of each other key as of its own", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			s := limiter.NewSpacing(cfg, 8*time.Second, new(limiter.Neighbors))
			other := limiter.Origin{School: a.School, Key: [16]byte{15: 1}}
			s.Charge(a, 14)
			begun, _ := arrivals(t, 3, func(ctx context.Context) error { return s.Wait(ctx, other, 1) })
			is.Equal(begun, []time.Duration{0, 2 * second, 4 * second})
			is.Equal(s.Wait(t.Context(), a, 1), limiter.ErrTimeout) // its own operations are too many
		})
	})
	t.Run("many keys of a school are not faster than one", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			s := limiter.NewSpacing(cfg, 3*time.Second, new(limiter.Neighbors))
			var key atomic.Uint32
			begun, errs := arrivals(t, 7, func(ctx context.Context) error {
				return s.Wait(ctx, limiter.Origin{School: a.School, Key: [16]byte{15: byte(key.Add(1))}}, 1)
			})
			is.Equal(begun, []time.Duration{0, 0, second, 2 * second, 3 * second})
			is.Equal(errs, []error{limiter.ErrTimeout, limiter.ErrTimeout})
		})
	})
	t.Run("a school waits only while others are active", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			s := limiter.NewSpacing(cfg, 3*time.Second, new(limiter.Neighbors))
			ofA := func(ctx context.Context) error { return s.WaitBesideOthers(ctx, a, 1) }
			begun, _ := arrivals(t, 4, ofA)
			is.Equal(begun, []time.Duration{0, 0, 0, 0})
			is.NoErr(s.WaitBesideOthers(t.Context(), b, 1))
			begun, _ = arrivals(t, 4, ofA)
			is.Equal(begun, []time.Duration{0, 0, second, 2 * second})
			time.Sleep(5 * time.Minute) // b is no longer active
			begun, _ = arrivals(t, 4, ofA)
			is.Equal(begun, []time.Duration{0, 0, 0, 0})
		})
	})
	t.Run("a wait ends with its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			s := limiter.NewSpacing(cfg, 3*time.Second, new(limiter.Neighbors))
			_, _ = arrivals(t, 2, func(ctx context.Context) error { return s.Wait(ctx, a, 1) })
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			defer cancel()
			is.Equal(s.Wait(ctx, a, 1), context.DeadlineExceeded)
		})
	})
}
