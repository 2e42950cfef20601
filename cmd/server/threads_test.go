package server_test

import (
	"runtime"
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
)

func TestAddThreads(t *testing.T) {
	n := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(n) })
	for _, tt := range []struct {
		name       string
		store      server.Store
		gomaxprocs string // the environment variable
		procs      int    // number of threads before
		more       int
	}{
		{"in memory", server.Memory, "", runtime.NumCPU(), 4},
		{"with a database", server.Postgres, "", runtime.NumCPU(), 1},
		{"with the environment variable", server.Memory, "2", runtime.NumCPU(), 0},
		{"with a limit of processor time", server.Memory, "", runtime.NumCPU() + 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			runtime.GOMAXPROCS(tt.procs)
			server.AddThreads(tt.store, tt.gomaxprocs)
			is.Equal(runtime.GOMAXPROCS(0)-tt.procs, tt.more)
		})
	}
}
