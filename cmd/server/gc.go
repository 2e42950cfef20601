package server

import (
	"os"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
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
	// memoryCheck is how often the memory limit is adapted to the live heap.
	memoryCheck = 5 * time.Second
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
		go adaptMemoryLimit()
	}
}

// adaptMemoryLimit sets MemoryLimit from time to time, until the process ends.
func adaptMemoryLimit() {
	live := []runtimemetrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for range time.Tick(memoryCheck) {
		runtimemetrics.Read(live)
		debug.SetMemoryLimit(MemoryLimit(live[0].Value.Uint64()))
	}
}

// MemoryLimit returns the memory limit of a server with the store Memory, in bytes, for a live heap
// of the given size. Below the size of the live heap the collector would run all the time.
func MemoryLimit(live uint64) int64 { return max(memoryLimit, int64(live+live/2)) }

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
