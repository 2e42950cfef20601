package server

import (
	"os"
	"runtime/debug"
)

const (
	// slack is by how much the heap of a server may grow, in percent of what is in
	// use, before garbage is collected. Some 20 MB are in use on the store Postgres,
	// whatever the size of its schools, and not much more in memory as a rule: by
	// Go's own 100 % a server under load would collect a dozen times a second.
	slack = 400
	// roof is how far the heap of a server with all records in memory may grow by
	// that: it keeps a large school from needing five times its size.
	roof = 4 << 30
)

// CollectLess sets how often garbage is collected in a process that is nothing but
// a server on that store, unless the operator has by the environment variables
// GOGC and GOMEMLIMIT.
func CollectLess(store Store) {
	percent, limit := Garbage(store, os.Getenv("GOGC"), os.Getenv("GOMEMLIMIT"))
	if percent > 0 {
		debug.SetGCPercent(percent)
	}
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
}

// Garbage returns what CollectLess sets, in percent and bytes, where the operator
// wants these; 0 is left as it is.
func Garbage(store Store, gogc, limit string) (percent int, bytes int64) {
	if gogc != "" {
		return 0, 0
	}
	if store == Memory && limit == "" {
		bytes = roof
	}
	return slack, bytes
}
