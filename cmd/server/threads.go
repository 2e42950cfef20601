package server

import (
	"os"
	"runtime"
)

// spareThreads is by how many threads there are more than processors.
const spareThreads = 4

// AddThreads lets more threads run Go code than there are processors. Go lets a goroutine run for
// 10 ms before it notices others and the network, so long requests and garbage collections on all
// processors would delay every short request by as much. With a free thread, the kernel lets the
// short request run at once.
//
// AddThreads does nothing if the environment variable GOMAXPROCS is set or a cgroup limits the
// processor time: the kernel stops all threads of a process that has used up its time. Call it
// after New, which derives limits from the number of threads.
func AddThreads() {
	if n := runtime.GOMAXPROCS(0); os.Getenv("GOMAXPROCS") == "" && n == runtime.NumCPU() {
		runtime.GOMAXPROCS(n + spareThreads)
	}
}
