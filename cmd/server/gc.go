package server

import (
	"os"
	"runtime/debug"
)

const (
	// gcPercent is the GOGC value of a server process: the heap may grow by this percentage of the
	// live heap before the next collection. With the store Postgres, the live heap is about 20 MB,
	// regardless of the size of its schools, and with Go's default of 100 a server under load would
	// run a dozen collections per second.
	gcPercent = 400
	// memoryLimit is the GOMEMLIMIT of a server with the store Memory: with gcPercent alone, a
	// large school would need up to five times its size in memory.
	memoryLimit = 4 << 30
)

// TuneGC tunes the garbage collector of a process that only runs a server with the given store. The
// environment variables GOGC and GOMEMLIMIT have priority.
func TuneGC(store Store) {
	percent, limit := GCSettings(store, os.Getenv("GOGC"), os.Getenv("GOMEMLIMIT"))
	if percent > 0 {
		debug.SetGCPercent(percent)
	}
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
}

// GCSettings returns the values that TuneGC sets, in percent and bytes, for the given values
// of GOGC and GOMEMLIMIT; 0 means unchanged.
func GCSettings(store Store, gogc, limit string) (percent int, bytes int64) {
	if gogc != "" {
		return 0, 0
	}
	if store == Memory && limit == "" {
		bytes = memoryLimit
	}
	return gcPercent, bytes
}
