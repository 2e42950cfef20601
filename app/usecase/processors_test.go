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
	for _, threads := range []int{1, 2, 3, runtime.NumCPU() + 4} {
		most := max(1, min(threads, runtime.NumCPU())/2)
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			before := runtime.GOMAXPROCS(threads)
			p := usecase.NewProcessors()
			runtime.GOMAXPROCS(before)
			var running, ended atomic.Int64
			for range 10 {
				go p.Run(func() {
					is.True(running.Add(1) <= int64(most))
					time.Sleep(time.Second)
					running.Add(-1)
					ended.Add(1)
				})
			}
			synctest.Wait()
			is.Equal(running.Load(), int64(most))
			time.Sleep(10 * time.Second)
			synctest.Wait()
			is.Equal(ended.Load(), int64(10))
		})
	}
}
