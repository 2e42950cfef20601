package outgoing

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

const (
	// handshakeBytes is the maximum size of what a server sends in a TLS handshake.
	handshakeBytes = 16 << 10
	// framing is the maximum number of bytes on the connection for each byte of a response. Records of
	// TLS that contain one byte each have 22 further ones.
	framing = 2
	// freeReads is how many reads of a response do not wait, and pause how long each further one waits.
	// More bytes arrive during the pause, so that a server that sends them one by one causes few reads.
	freeReads = 16
	pause     = 2 * time.Millisecond
	// lateWrites is how many writes there can be after the first byte of a response. A server can
	// request them, to update the keys of TLS.
	lateWrites = 16
)

// errLong means that a server sends more bytes than a response of the maximum size takes, or requests
// too many updates of keys.
var errLong = errors.New("outgoing: the server sends too much")

// connection is a connection to a server that may send what takes processor time: its responses in
// very small pieces, or records of TLS that belong to no response.
type connection struct {
	net.Conn

	turn         *turn        // held while received bytes of a TLS handshake are processed
	max          atomic.Int64 // bytes until the next call of begin
	bytes, reads atomic.Int64 // since the last call of begin
	writes       atomic.Int64 // since the first byte after it
}

// limit returns a connection on which the server can send a TLS handshake, in which the connection
// takes turns with others.
func limit(c net.Conn, turn *turn) *connection {
	limited := &connection{Conn: c, turn: turn}
	limited.begin(handshakeBytes)
	return limited
}

// begin lets the server send size bytes from now on.
func (c *connection) begin(size int64) {
	c.max.Store(size)
	c.bytes.Store(0)
	c.reads.Store(0)
	c.writes.Store(0)
}

// Read implements net.Conn. In a handshake it returns when it is the turn of the connection, because
// parsing and verifying certificates takes time of a processor.
func (c *connection) Read(p []byte) (int, error) {
	c.turn.end()
	if c.reads.Add(1) > freeReads {
		time.Sleep(pause)
	}
	n, err := c.Conn.Read(p)
	if c.bytes.Add(int64(n)) > c.max.Load() {
		return 0, errLong
	}
	if err := c.turn.begin(); err != nil {
		return 0, err
	}
	return n, err
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (int, error) {
	c.turn.end()
	if c.bytes.Load() > 0 && c.writes.Add(1) > lateWrites {
		return 0, errLong
	}
	return c.Conn.Write(p)
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.turn.end()
	return c.Conn.Close()
}

// onConnection returns a request that calls begin on the connection that it gets, with the size of a
// response of max bytes.
func onConnection(r *http.Request, max int64) *http.Request {
	return r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			c := got.Conn
			if secure, ok := c.(*tls.Conn); ok {
				c = secure.NetConn()
			}
			c.(*connection).begin(max * framing)
		},
	}))
}
