// Package heap measures the memory in use, for tests that something is not kept in memory.
package heap

import "runtime"

// InUse returns the bytes in use on the heap after a garbage collection.
func InUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
