package usecase

import "runtime"

// Processors limits functions that use a processor for many milliseconds without waiting for the
// store. Such functions run on half of the processors, so that short requests find a free one. Go
// looks for responses of the network only every 10 ms while all processors are in use.
type Processors struct{ slots chan struct{} }

// NewProcessors returns a Processors for the processors of the program. There can be more threads of the
// Go scheduler.
func NewProcessors() *Processors {
	n := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	return &Processors{slots: make(chan struct{}, max(1, n/2))}
}

// Run waits for a processor and calls f. f must not wait for anything.
func (p *Processors) Run(f func()) {
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	f()
}
