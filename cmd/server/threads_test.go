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
		more       bool
	}{
		{"in memory", server.Memory, "", runtime.NumCPU(), true},
		{"with a database", server.Postgres, "", runtime.NumCPU(), false},
		{"with the environment variable", server.Memory, "2", runtime.NumCPU(), false},
		{"with a limit of processor time", server.Memory, "", runtime.NumCPU() + 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			runtime.GOMAXPROCS(tt.procs)
			server.AddThreads(tt.store, tt.gomaxprocs)
			is.Equal(runtime.GOMAXPROCS(0) > tt.procs, tt.more)
		})
	}
}
