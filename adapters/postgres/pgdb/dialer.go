package pgdb

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// A dialer opens connections on which no read or write takes longer than limit; 0 means no limit.
// The driver itself sets no deadline: if the network drops packets, a statement would wait forever,
// regardless of its context.
//
// The connections close when the context lifetime ends. While the driver's listener waits for its
// connection, it holds a lock that its Close needs too, so it can be stopped only by closing the
// connection.
type dialer struct {
	net.Dialer
	limit    time.Duration
	lifetime context.Context
}

// DialContext implements pq.DialerContext.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.lifetime, cancel)()
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	free := context.AfterFunc(d.lifetime, func() { _ = c.Close() })
	opened := &deadlineConn{Conn: c, limit: d.limit, stopWatch: free}
	if variable, ok := ctx.Value(dialing{}).(**deadlineConn); ok {
		*variable = opened
	}
	return opened, nil
}

// Dial implements pq.Dialer.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout implements pq.Dialer.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// A deadlineConn is a connection of a dialer. Every read and write has its own deadline, or the
// explicit deadline if that is earlier.
type deadlineConn struct {
	net.Conn
	limit            time.Duration
	stopWatch        func() bool               // result of context.AfterFunc; stops watching dialer.lifetime
	explicitDeadline atomic.Pointer[time.Time] // nil when none is set
}

// SetDeadline sets the deadline of all future reads and writes; the zero time removes it.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	if t.IsZero() {
		c.explicitDeadline.Store(nil)
	} else {
		c.explicitDeadline.Store(&t)
	}
	return c.Conn.SetDeadline(t)
}

// Read implements net.Conn.
func (c *deadlineConn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(c.next()); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write implements net.Conn.
func (c *deadlineConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(c.next()); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Close implements net.Conn.
func (c *deadlineConn) Close() error {
	c.stopWatch()
	return c.Conn.Close()
}

// next returns the deadline of a read or write that starts now; zero means none.
func (c *deadlineConn) next() time.Time {
	var t time.Time
	if c.limit > 0 {
		t = time.Now().Add(c.limit)
	}
	if h := c.explicitDeadline.Load(); h != nil && (t.IsZero() || h.Before(t)) {
		return *h
	}
	return t
}
