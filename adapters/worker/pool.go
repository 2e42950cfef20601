package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"lyceum/domain/job"
)

// Work is one kind of jobs and the use case that does them.
type Work struct {
	Kind job.Kind

	// Next does one job and tells whether there was one. An error says that the
	// work could not be looked for or settled; the failure of a job is none. Next
	// is called by several goroutines at once and returns soon after ctx ends.
	Next func(ctx context.Context) (bool, error)
}

// Bell tells when there may be work; ports.Queue is one.
type Bell interface {
	Wake(ctx context.Context, kind job.Kind) <-chan struct{}
}

// Pool is the goroutines that work. New makes one; it starts and stops once.
type Pool struct {
	cfg  Config
	bell Bell
	log  *slog.Logger
	all  []Work

	stopping context.Context // ended: nothing new is begun
	stop     context.CancelFunc
	working  context.Context // ended: what is under way is given up
	giveUp   context.CancelFunc
	running  sync.WaitGroup
}

// New returns a pool that does not work yet. A Config that does not validate is
// refused.
func New(cfg Config, bell Bell, log *slog.Logger, all ...Work) (*Pool, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	p := &Pool{cfg: cfg, bell: bell, log: log, all: all}
	p.stopping, p.stop = context.WithCancel(context.Background())
	p.working, p.giveUp = context.WithCancel(context.Background())
	return p, nil
}

// Start begins to work beside the caller.
func (p *Pool) Start() {
	for _, work := range p.all {
		t := &team{Pool: p, work: work, log: p.log.With(slog.String("work", string(work.Kind))), more: make(chan struct{}, 1)}
		for range p.cfg.Count {
			p.running.Go(t.run)
		}
	}
}

// Stop begins no more jobs and waits for those under way. When half of the time
// that ctx leaves is over they are told to give up; they come back to the queue
// when their leases end. It is an error when some have not even then returned
// at the end of ctx.
func (p *Pool) Stop(ctx context.Context) error {
	p.stop()
	defer p.giveUp()
	over := make(chan struct{})
	go func() {
		p.running.Wait()
		close(over)
	}()
	if deadline, ok := ctx.Deadline(); ok {
		defer time.AfterFunc(time.Until(deadline)/2, p.giveUp).Stop()
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("work was left undone, it did not end in time: %w", ctx.Err())
	}
}
