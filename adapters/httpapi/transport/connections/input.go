package connections

import (
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Bytes that do not belong to a request cost processor time, although no handler sees them: frames
// of HTTP/2 such as WINDOW_UPDATE and SETTINGS, refused headers, handshakes. A network can send
// inputQuota of them within inputWindow. After that, the server reads more slowly from it.
const (
	inputQuota  = 512 << 10
	inputWindow = 2 * time.Second
	// inputStep is the number of such bytes of a connection from which they are counted.
	inputStep = 4 << 10
	// maxReadAhead limits the credit of a connection for bytes of requests that were already counted
	// when a handler read them. It is more than the bytes that arrive before a handler reads them,
	// of bodies in HTTP/2 (receiveBuffer in package transport), TLS records and frames. With a lower
	// limit, a part of each body would count.
	maxReadAhead = 256 << 10
	// maxInputPause limits the time without reading, so that the connection can time out.
	maxInputPause = 10 * time.Second
	// maxHeaderCredit limits the bytes of headers that belong to a request.
	maxHeaderCredit = 8 << 10
	// maxFields is the maximum number of header fields of a request. Many short fields take much
	// more memory than their bytes.
	maxFields = 200
)

// input is a connection that is read slowly after many bytes that belong to no request.
type input struct {
	net.Conn
	limiter *Limiter
	network [16]byte

	surplus atomic.Int64 // bytes read beyond those of requests; negative: credit
	closing sync.Once
	closed  chan struct{}
}

func (l *Limiter) newInput(c net.Conn, n *network) *input {
	return &input{Conn: c, limiter: l, network: n.id, closed: make(chan struct{})}
}

// Read implements net.Conn.
func (c *input) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	surplus := c.surplus.Add(int64(n))
	if surplus < inputStep {
		return n, err
	}
	c.surplus.Add(-surplus)
	if budget := c.limiter.input.Charge(c.network, int(surplus)); budget.Remaining == 0 {
		c.pause(min(budget.Next, maxInputPause))
	}
	return n, err
}

// pause waits for d or until the connection is closed.
func (c *input) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.closed:
	}
}

// Close implements net.Conn.
func (c *input) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// CloseWrite closes the connection for writing, if it can be. Package http calls it before a
// connection is closed, so that the client gets the response.
func (c *input) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// ReadFrom implements io.ReaderFrom, with which the system can send a file without copying it.
func (c *input) ReadFrom(r io.Reader) (int64, error) {
	if w, ok := c.Conn.(io.ReaderFrom); ok {
		return w.ReadFrom(r)
	}
	return io.Copy(struct{ io.Writer }{c.Conn}, r)
}

// credit records that n bytes belong to a request.
func (c *input) credit(n int) {
	if c.surplus.Add(-int64(n)) < -maxReadAhead {
		c.surplus.Store(-maxReadAhead)
	}
}

// countInput credits the connection of r with its headers, and with its body as a handler reads it.
// It refuses r and reports false if r has too many header fields.
func (q *requests) countInput(w http.ResponseWriter, r *http.Request) bool {
	fields, size := 0, len(r.RequestURI)
	for name, values := range r.Header {
		fields += len(values)
		for _, v := range values {
			size += len(name) + len(v)
		}
	}
	if fields > maxFields {
		w.Header().Set("Connection", "close")
		http.Error(w, "The request has too many header fields.", http.StatusRequestHeaderFieldsTooLarge)
		return false
	}
	c, ok := q.conn.(*input)
	if !ok {
		return true
	}
	const line = 64 // bytes of a request besides the values, roughly
	c.credit(min(line+4*fields+size, maxHeaderCredit))
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = body{r.Body, c}
	}
	return true
}

// body is the body of a request on a connection.
type body struct {
	io.ReadCloser
	conn *input
}

// Read implements io.Reader.
func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.conn.credit(n)
	return n, err
}
