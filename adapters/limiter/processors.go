package limiter

import "runtime"

// Processors returns how many processors the program can use at a time. It does not count threads of
// the Go scheduler beyond the processors of the machine, which a server adds.
func Processors() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }
