package postgres

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// dialer opens connections on which no read or write takes longer than limit.
// The driver itself sets no deadline: on a network that swallows packets a
// statement would wait for ever, whatever its context says. A limit of 0 means
// none.
type dialer struct {
	net.Dialer
	limit time.Duration
}

// DialContext opens a connection.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil || d.limit <= 0 {
		return c, err
	}
	return &deadlineConn{Conn: c, limit: d.limit}, nil
}

// Dial opens a connection.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout opens a connection within timeout.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// deadlineConn gives every read and write a deadline of its own, or the one
// that was set by hand where that is earlier.
type deadlineConn struct {
	net.Conn
	limit  time.Duration
	byHand atomic.Pointer[time.Time] // nil when none is set
}

// SetDeadline sets the deadline of all reads and writes to come; the zero time
// takes it away.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	if t.IsZero() {
		c.byHand.Store(nil)
	} else {
		c.byHand.Store(&t)
	}
	return c.Conn.SetDeadline(t)
}

// Read reads within the deadline.
func (c *deadlineConn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(c.next()); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write writes within the deadline.
func (c *deadlineConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(c.next()); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *deadlineConn) next() time.Time {
	t := time.Now().Add(c.limit)
	if h := c.byHand.Load(); h != nil && h.Before(t) {
		return *h
	}
	return t
}
