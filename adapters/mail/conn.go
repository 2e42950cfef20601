package mail

import (
	"context"
	"net"
)

// conn is the network connection used by the SMTP library. The library measures timeouts with its
// own clock and leaves the connection open if the greeting or the login fails. conn therefore
// closes the connection when a context ends.
type conn struct {
	conn net.Conn
	free func() bool // stops watching the context
}

// dial connects, unless the context dialing ends first. It closes the connection when ctx ends.
func (w *conn) dial(ctx, dialing context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(dialing, network, address)
	if err == nil {
		w.conn, w.free = conn, context.AfterFunc(ctx, func() { _ = conn.Close() })
	}
	return conn, err
}

// cut closes the connection, if there is one.
func (w *conn) cut() {
	if w.conn != nil {
		w.free()
		_ = w.conn.Close()
	}
}
