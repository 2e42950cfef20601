package postgres

import (
	"context"
	"net"
	"time"
)

// tether is a dialer whose connections end with a context. The driver's listener
// waits for its connection under a lock that its Close takes too, so it cannot
// be stopped but by the connection's end.
type tether struct {
	dialer
	over context.Context
}

// DialContext opens a connection.
func (t tether) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.over, cancel)()
	c, err := t.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	free := context.AfterFunc(t.over, func() { _ = c.Close() })
	return tethered{Conn: c, free: free}, nil
}

// Dial opens a connection.
func (t tether) Dial(network, address string) (net.Conn, error) {
	return t.DialContext(context.Background(), network, address)
}

// DialTimeout opens a connection within timeout.
func (t tether) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return t.DialContext(ctx, network, address)
}

// tethered is a connection of a tether.
type tethered struct {
	net.Conn
	free func() bool
}

// Close closes the connection.
func (c tethered) Close() error {
	c.free()
	return c.Conn.Close()
}
