package pgdb

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
//
// The connections end with the context over. The driver's listener waits for its
// connection under a lock that its Close takes too, so it cannot be stopped but
// by the connection's end.
type dialer struct {
	net.Dialer
	limit time.Duration
	over  context.Context
}

// DialContext opens a connection.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.over, cancel)()
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	free := context.AfterFunc(d.over, func() { _ = c.Close() })
	opened := &dialed{Conn: c, limit: d.limit, free: free}
	if place, ok := ctx.Value(dialing{}).(**dialed); ok {
		*place = opened
	}
	return opened, nil
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

// dialed is a connection of a dialer. It gives every read and write a deadline of
// its own, or the one that was set by hand where that is earlier.
type dialed struct {
	net.Conn
	limit  time.Duration
	free   func() bool               // from the context with which it ends
	byHand atomic.Pointer[time.Time] // nil when none is set
}

// SetDeadline sets the deadline of all reads and writes to come; the zero time
// takes it away.
func (c *dialed) SetDeadline(t time.Time) error {
	if t.IsZero() {
		c.byHand.Store(nil)
	} else {
		c.byHand.Store(&t)
	}
	return c.Conn.SetDeadline(t)
}

// Read reads within the deadline.
func (c *dialed) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(c.next()); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write writes within the deadline.
func (c *dialed) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(c.next()); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Close closes the connection.
func (c *dialed) Close() error {
	c.free()
	return c.Conn.Close()
}

// next returns the deadline of an operation that begins now, zero for none.
func (c *dialed) next() time.Time {
	var t time.Time
	if c.limit > 0 {
		t = time.Now().Add(c.limit)
	}
	if h := c.byHand.Load(); h != nil && (t.IsZero() || h.Before(t)) {
		return *h
	}
	return t
}
