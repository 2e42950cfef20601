package mail

import (
	"context"
	"net"
)

// wire is the connection below the library, which bounds its waits by a clock of
// its own alone, and keeps a connection open when it fails to greet or to sign in.
type wire struct {
	conn net.Conn
	free func() bool // lets go of the context
}

// dial connects until dialing ends, and has the connection closed when ctx does.
func (w *wire) dial(ctx, dialing context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(dialing, network, address)
	if err == nil {
		w.conn, w.free = conn, context.AfterFunc(ctx, func() { _ = conn.Close() })
	}
	return conn, err
}

// cut closes the connection, if there is one.
func (w *wire) cut() {
	if w.conn != nil {
		w.free()
		_ = w.conn.Close()
	}
}
