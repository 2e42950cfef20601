package pgdb

import (
	"context"
	"sync"
	"time"

	"github.com/lib/pq"
	"lyceum/domain/job"
)

// A listener forwards job notifications from all instances to the subscribers of this one.
// It opens a dedicated connection with the first subscriber and reconnects when the
// connection is lost.
type listener struct {
	dsn          string        // empty: it receives only notifications of this instance
	wait         time.Duration // maximum wait for a connection
	pingInterval time.Duration // interval of pings

	mu          sync.Mutex
	subscribers map[chan struct{}]job.Kind
	listener    *pq.Listener // nil before the first subscriber
	closeConn   func()       // closes the listener's connection, even while it waits
	closed      bool
}

// listenPulse is the default of Config.ListenPulse.
const listenPulse = 30 * time.Second

// The pause before a listener reconnects. It grows from the first value to the second.
const (
	minReconnect = 100 * time.Millisecond
	maxReconnect = 5 * time.Second
)

func newListener(cfg Config, dsn string) *listener {
	return &listener{dsn: dsn, wait: cfg.DialTimeout, pingInterval: cfg.ListenPulse, subscribers: map[chan struct{}]job.Kind{}}
}

// subscribe returns a channel that gets a value when there may be jobs of the kind,
// until ctx ends.
func (b *listener) subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch := make(chan struct{}, 1)
	b.subscribers[ch] = kind
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers, ch)
		close(ch)
	})
	if b.listener == nil && !b.closed && b.dsn != "" {
		b.listen()
	}
	return ch
}

// listen starts to listen in the background.
func (b *listener) listen() {
	lifetime, cancel := context.WithCancel(context.Background())
	d := dialer{limit: 3 * b.pingInterval, lifetime: lifetime}
	d.Timeout = b.wait
	l := pq.NewDialListener(d, b.dsn, minReconnect, maxReconnect, nil)
	b.listener, b.closeConn = l, cancel
	go func() {
		if l.Listen(channel) == nil {
			b.broadcastAll() // earlier notifications are lost
		}
	}()
	go keepAlive(lifetime, l, b.pingInterval)
	go func() {
		for n := range l.Notify {
			if n == nil { // the connection was lost, with its notifications
				b.broadcastAll()
			} else {
				b.broadcast(job.Kind(n.Extra))
			}
		}
	}()
}

// keepAlive pings the server regularly. If the server stays silent the connection is dead,
// and reading from it fails.
func keepAlive(lifetime context.Context, l *pq.Listener, interval time.Duration) {
	for Pause(lifetime, interval) == nil {
		_ = l.Ping() // the listener notices a failure itself
	}
}

func (b *listener) broadcast(kind job.Kind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch, k := range b.subscribers {
		if k == kind {
			trySend(ch)
		}
	}
}

func (b *listener) broadcastAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.subscribers {
		trySend(ch)
	}
}

// trySend sends a value unless one is waiting.
func trySend(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// close closes the connection. The channels of subscribers stay open until their contexts
// end, and get no further values.
func (b *listener) close() {
	b.mu.Lock()
	l, closeConn := b.listener, b.closeConn
	b.closed, b.listener = true, nil
	b.mu.Unlock()
	if l != nil {
		closeConn() // first, because the listener may be waiting for the connection
		_ = l.Close()
	}
}
