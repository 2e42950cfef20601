package server

import "runtime"

// spareThreads is by how many threads there are more than processors. With a database, requests wait
// for the database most of the time, so more than one thread would only delay the database.
var spareThreads = map[Store]int{Memory: 4, Postgres: 1}

// AddThreads lets more threads run Go code than there are processors in a process that only runs a
// server with the given store. Go lets a goroutine run for 10 ms before it notices others and the
// network, so long requests on all processors would delay every short request by as much, or an answer
// of the database to it. With a free thread, the kernel lets the short request run at once.
//
// AddThreads does nothing if the environment variable GOMAXPROCS has the given value, unless it is
// blank, or if a cgroup limits the processor time: the kernel stops all threads of a process that has
// used up its time. Limits do not depend on the number of threads (limiter.Processors).
func AddThreads(store Store, gomaxprocs string) {
	if n := runtime.GOMAXPROCS(0); gomaxprocs == "" && n == runtime.NumCPU() {
		runtime.GOMAXPROCS(n + spareThreads[store])
	}
}
