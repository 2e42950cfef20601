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
