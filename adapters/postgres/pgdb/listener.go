package pgdb

import (
	"context"
	"sync"
	"time"

	"github.com/lib/pq"
	"lyceum/domain/job"
)

// listener passes on to workers of this instance what heralds of all instances tell.
// It listens on one connection of its own, from the first worker on, and finds
// it anew when it is lost.
type listener struct {
	dsn   string        // blank: it hears only what this instance tells
	wait  time.Duration // the longest wait for a connection
	pulse time.Duration // how often the connection is tried

	mu       sync.Mutex
	ears     map[chan struct{}]job.Kind
	listener *pq.Listener // nil until there is a worker
	cut      func()       // ends the listener's connection, whatever it waits for
	closed   bool
}

// listenPulse is how often the connection is tried unless Config says otherwise.
const listenPulse = 30 * time.Second

// How long a listener pauses before it looks for a lost connection again.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
)

func newBell(cfg Config, dsn string) *listener {
	return &listener{dsn: dsn, wait: cfg.DialTimeout, pulse: cfg.ListenPulse, ears: map[chan struct{}]job.Kind{}}
}

// Subscribe returns a channel that gets a value when there may be jobs of the kind,
// until ctx ends.
func (b *listener) Subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	ear := make(chan struct{}, 1)
	b.ears[ear] = kind
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.ears, ear)
		close(ear)
	})
	if b.listener == nil && !b.closed && b.dsn != "" {
		b.listen()
	}
	return ear
}

// listen starts to listen, beside the caller.
func (b *listener) listen() {
	over, cut := context.WithCancel(context.Background())
	d := dialer{limit: 3 * b.pulse, over: over}
	d.Timeout = b.wait
	l := pq.NewDialListener(d, b.dsn, firstPause, longestPause, nil)
	b.listener, b.cut = l, cut
	go func() {
		if l.Listen(channel) == nil {
			b.ringAll() // what was told before is lost
		}
	}()
	go keepAlive(over, l, b.pulse)
	go func() {
		for n := range l.Notify {
			if n == nil { // the connection was lost, and what was told meanwhile
				b.ringAll()
			} else {
				b.ring(job.Kind(n.Extra))
			}
		}
	}()
}

// keepAlive makes the server speak now and then. A silence that lasts means
// that the connection is dead, and reading from it fails.
func keepAlive(over context.Context, l *pq.Listener, pulse time.Duration) {
	for Pause(over, pulse) == nil {
		_ = l.Ping() // the listener sees for itself that it failed
	}
}

func (b *listener) ring(kind job.Kind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ear, k := range b.ears {
		if k == kind {
			nudge(ear)
		}
	}
}

func (b *listener) ringAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ear := range b.ears {
		nudge(ear)
	}
}

// nudge leaves a value unless there is one.
func nudge(ear chan struct{}) {
	select {
	case ear <- struct{}{}:
	default:
	}
}

// close ends the connection. Ears stay until their contexts end, and get nothing.
func (b *listener) close() {
	b.mu.Lock()
	l, cut := b.listener, b.cut
	b.closed, b.listener = true, nil
	b.mu.Unlock()
	if l != nil {
		cut() // first: the listener may be waiting for the connection
		_ = l.Close()
	}
}
