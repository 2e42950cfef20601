package limiter_test

import (
	"runtime"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

func TestProcessors(t *testing.T) {
	is := is.New(t)
	threads := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(threads) })
	runtime.GOMAXPROCS(runtime.NumCPU() + 4)
	is.Equal(limiter.Processors(), runtime.NumCPU())
	runtime.GOMAXPROCS(1) // for example because of a cgroup
	is.Equal(limiter.Processors(), 1)
}
