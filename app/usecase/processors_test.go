package usecase_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/app/usecase"
)

// Functions run on half of the processors, and each of them runs in the end.
func TestProcessors(t *testing.T) {
	for _, tt := range []struct{ processors, most int }{{1, 1}, {2, 1}, {3, 1}, {8, 4}} {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			before := runtime.GOMAXPROCS(tt.processors)
			p := usecase.NewProcessors()
			runtime.GOMAXPROCS(before)
			var running, ended atomic.Int64
			for range 10 {
				go p.Run(func() {
					is.True(running.Add(1) <= int64(tt.most))
					time.Sleep(time.Second)
					running.Add(-1)
					ended.Add(1)
				})
			}
			synctest.Wait()
			is.Equal(running.Load(), int64(tt.most))
			time.Sleep(10 * time.Second)
			synctest.Wait()
			is.Equal(ended.Load(), int64(10))
		})
	}
}
