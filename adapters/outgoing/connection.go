package outgoing

import (
	"errors"
	"net"
	"sync/atomic"
	"time"
)

const (
	// freeReads is how many reads after a write do not wait, and pause how long each further one
	// waits. More bytes arrive during the pause, so that a server that sends them one by one causes few
	// reads.
	freeReads = 16
	pause     = 2 * time.Millisecond
	// framing is the maximum number of bytes on the connection for each byte of a response. Records of
	// TLS that contain one byte each have 22 further ones.
	framing = 8
	// handshakeBytes is the maximum size of what a server sends besides responses, in a TLS handshake.
	handshakeBytes = 64 << 10
)

// errLong means that a server sends more bytes than a response of the maximum size takes.
var errLong = errors.New("outgoing: the server sends too many bytes")

// connection is a connection to a server that may send its responses in very small pieces. Each of
// them would take processor time.
type connection struct {
	net.Conn

	max   int64        // bytes between two writes
	reads atomic.Int64 // since the last write
	bytes atomic.Int64 // since the last write
}

// limit returns a connection on which the server can send responses of size bytes.
func limit(c net.Conn, size int64) *connection {
	return &connection{Conn: c, max: size*framing + handshakeBytes}
}

// Write implements net.Conn. The client writes a request only after it has read the response to the
// request before.
func (c *connection) Write(p []byte) (int, error) {
	c.reads.Store(0)
	c.bytes.Store(0)
	return c.Conn.Write(p)
}

// Read implements net.Conn.
func (c *connection) Read(p []byte) (int, error) {
	if c.reads.Add(1) > freeReads {
		time.Sleep(pause)
	}
	n, err := c.Conn.Read(p)
	if c.bytes.Add(int64(n)) > c.max {
		return 0, errLong
	}
	return n, err
}
