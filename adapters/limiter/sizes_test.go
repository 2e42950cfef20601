package limiter_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

// A school holds as many slots as its operations take, and a large operation waits until all its
// slots are free.
func TestAcquireN(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.New(limiter.Config{Slots: 8, PerSchool: 4, Waiting: 10, Wait: time.Second})
		acquire := func(school byte, n int) *limiter.Slot {
			s, err := l.AcquireN(t.Context(), origin(school, 1), n)
			if err != nil {
				return nil
			}
			return s
		}
		a := acquire(1, 3)
		is.True(a != nil)
		is.True(acquire(1, 2) == nil) // more than the share
		b := acquire(1, 1)
		is.True(b != nil)
		is.True(acquire(1, 1) == nil)
		c := acquire(2, 100) // takes as many slots as the share
		is.True(c != nil)
		is.True(acquire(3, 1) == nil) // all slots are used
		b.Release()
		is.True(acquire(3, 2) == nil)
		go func() {
			time.Sleep(time.Second / 2)
			a.Release()
		}()
		begin := time.Now()
		d := acquire(3, 4)
		is.True(d != nil)
		is.Equal(time.Since(begin), time.Second/2)
		c.Release()
		d.Release()
		is.Equal(l.Stats(), limiter.Stats{Timeouts: 4})
	})
}

// An operation that takes many slots starts although small operations of its school keep arriving,
// because these do not overtake it.
func TestSmallOperationsDoNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.New(limiter.Config{Slots: 4, PerSchool: 3, Waiting: 10, Wait: time.Second})
		for i := range 20 { // one arrives every 100 ms, and each runs for 150 ms
			go func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				small, err := l.Acquire(t.Context(), origin(1, 1))
				is.NoErr(err)
				time.Sleep(150 * time.Millisecond)
				small.Release()
			}()
		}
		time.Sleep(310 * time.Millisecond)
		begin := time.Now()
		large, err := l.AcquireN(t.Context(), origin(1, 1), 3)
		is.NoErr(err)
		is.Equal(time.Since(begin), 140*time.Millisecond) // until the running operations end
		large.Release()
		time.Sleep(5 * time.Second)
		is.Equal(l.Stats(), limiter.Stats{})
	})
}
