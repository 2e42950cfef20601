package pgdb

import (
	"context"
	"sync"
	"time"

	"github.com/lib/pq"
	"lyceum/adapters/limiter"
	"lyceum/domain/job"
)

// A listener forwards job notifications from all instances to the subscribers of this instance. It
// opens a dedicated connection for the first subscriber and reconnects when the connection is lost.
type listener struct {
	dsn          string        // empty: only notifications of this instance are forwarded
	wait         time.Duration // maximum wait for a connection
	pingInterval time.Duration // interval of pings; the connection is closed if it receives nothing for three intervals

	mu          sync.Mutex
	subscribers map[chan struct{}]job.Kind
	listener    *pq.Listener // nil before the first subscriber
	closeConn   func()       // closes the listener's connection, even while it waits
	closed      bool
}

// pingInterval is the default of Config.PingInterval.
const pingInterval = 30 * time.Second

// A listener pauses before it reconnects. The pause grows from minReconnect to maxReconnect.
const (
	minReconnect = 100 * time.Millisecond
	maxReconnect = 5 * time.Second
)

func newListener(cfg Config, dsn string) *listener {
	return &listener{dsn: dsn, wait: cfg.DialTimeout, pingInterval: cfg.PingInterval, subscribers: map[chan struct{}]job.Kind{}}
}

// subscribe implements DB.Subscribe.
func (l *listener) subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	ch := make(chan struct{}, 1)
	l.subscribers[ch] = kind
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.subscribers, ch)
		close(ch)
	})
	if l.listener == nil && !l.closed && l.dsn != "" {
		l.listen()
	}
	return ch
}

// listen starts to listen in the background.
func (l *listener) listen() {
	lifetime, cancel := context.WithCancel(context.Background())
	d := dialer{limit: 3 * l.pingInterval, lifetime: lifetime}
	d.Timeout = l.wait
	conn := pq.NewDialListener(d, l.dsn, minReconnect, maxReconnect, nil)
	l.listener, l.closeConn = conn, cancel
	go func() {
		if conn.Listen(channel) == nil {
			l.broadcastAll() // earlier notifications were missed
		}
	}()
	go keepAlive(lifetime, conn, l.pingInterval)
	go func() {
		for n := range conn.Notify {
			if n == nil { // nil: the connection was lost, and notifications may have been missed
				l.broadcastAll()
			} else {
				l.broadcast(job.Kind(n.Extra))
			}
		}
	}()
}

// keepAlive pings the server regularly, until lifetime ends. If the server does not respond, a read
// from the connection fails at its deadline.
func keepAlive(lifetime context.Context, conn *pq.Listener, interval time.Duration) {
	for limiter.Pause(lifetime, interval) == nil {
		_ = conn.Ping() // a failure closes the connection, and the listener reconnects
	}
}

func (l *listener) broadcast(kind job.Kind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ch, k := range l.subscribers {
		if k == kind {
			trySend(ch)
		}
	}
}

func (l *listener) broadcastAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ch := range l.subscribers {
		trySend(ch)
	}
}

// trySend sends a value unless the channel already contains one.
func trySend(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// close closes the connection. The channels of subscribers get no further values, and stay open
// until their contexts end.
func (l *listener) close() {
	l.mu.Lock()
	conn, closeConn := l.listener, l.closeConn
	l.closed, l.listener = true, nil
	l.mu.Unlock()
	if conn != nil {
		closeConn() // called first, because the listener may be waiting for the connection
		_ = conn.Close()
	}
}
