package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"lyceum/domain/job"
)

// Work is one kind of job and the use case that handles it.
type Work struct {
	Kind job.Kind

	// Next handles one job and reports whether there was one. An error means that the queue
	// failed; a failed job is not an error. Next is called concurrently and returns soon after
	// ctx ends.
	Next func(ctx context.Context) (bool, error)

	Count     int           // goroutines, if workers are on; 0: Config.Count
	PerSchool int           // maximum number of jobs of one school, and 1 while half of the goroutines work; 0: half of the goroutines
	Poll      time.Duration // interval of polling; 0: Config.Poll
}

// in returns the settings of w in a pool with the configuration c.
func (w Work) in(c Config) Work {
	if w.Count == 0 || c.Count == 0 {
		w.Count = c.Count
	}
	if w.PerSchool == 0 {
		w.PerSchool = max(1, w.Count/2)
	}
	if w.Poll == 0 {
		w.Poll = c.Poll
	}
	return w
}

// Subscriber wakes workers when there may be jobs. ports.Queue implements it.
type Subscriber interface {
	Subscribe(ctx context.Context, kind job.Kind) <-chan struct{}
}

// Pool runs the worker goroutines. Create it with New. It starts and stops once.
type Pool struct {
	cfg        Config
	subscriber Subscriber
	log        *slog.Logger
	all        []Work

	stopping context.Context // ends when no new job may start
	stop     context.CancelFunc
	working  context.Context // ends when running jobs are canceled
	giveUp   context.CancelFunc
	running  sync.WaitGroup
}

// New returns a Pool that has not started. It returns an error if cfg is invalid.
func New(cfg Config, subscriber Subscriber, log *slog.Logger, all ...Work) (*Pool, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	p := &Pool{cfg: cfg, subscriber: subscriber, log: log, all: all}
	p.stopping, p.stop = context.WithCancel(context.Background())
	p.working, p.giveUp = context.WithCancel(context.Background())
	return p, nil
}

// Start starts the workers in the background.
func (p *Pool) Start() {
	for _, work := range p.all {
		work = work.in(p.cfg)
		t := &workers{Pool: p, work: work, log: p.log.With(slog.String("work", string(work.Kind))), more: make(chan struct{}, 1)}
		for range work.Count {
			p.running.Go(t.run)
		}
	}
}

// Stop starts no new jobs and waits for the running ones. After half of the time until the deadline
// of ctx, it cancels them; they return to the queue when their leases expire. Stop returns an error
// if jobs are still running when ctx ends.
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
		return fmt.Errorf("background work was aborted because it did not finish in time: %w", ctx.Err())
	}
}
