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
	inputQuota  = 2 << 20
	inputWindow = 8 * time.Second
	// inputStep is the number of such bytes of a connection from which they are counted.
	inputStep = 4 << 10
	// maxCredit limits the credit of a connection for bytes of requests.
	maxCredit = 64 << 10
	// maxInputPause limits the time without reading, so that the connection can time out. A pause
	// ends earlier, at a multiple of inputPoll, if bytes turn out to belong to requests.
	maxInputPause = 10 * time.Second
	inputPoll     = 50 * time.Millisecond
	// requestOverhead is the number of bytes that a request without a body needs besides its method,
	// path and header: the rest of its first line, the end of its header, a record of TLS (22), and
	// two WINDOW_UPDATE frames in their own record. Without it, a client that uses its connection for
	// many requests would be counted, and would wait while another client of its network floods the
	// server.
	requestOverhead = 128
	// maxHeaderCredit limits the bytes of headers that belong to a request, and maxHeaderCredit2 those
	// of a request of HTTP/2, whose header can refer to earlier ones: 30 bytes can be 8 KiB.
	maxHeaderCredit  = 8 << 10
	maxHeaderCredit2 = 256
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
	counted atomic.Int64 // bytes counted toward the network, and not given back
	closing sync.Once
	closed  chan struct{}
}

func (l *Limiter) newInput(c net.Conn, n *network) *input {
	return &input{Conn: c, limiter: l, network: n.id, closed: make(chan struct{})}
}

// Read implements net.Conn. It counts bytes before it is known whether they belong to a request,
// because bodies can arrive before a handler reads them.
func (c *input) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	surplus := c.surplus.Add(int64(n))
	if surplus < inputStep {
		return n, err
	}
	c.surplus.Add(-surplus)
	c.counted.Add(surplus)
	if budget := c.limiter.input.Charge(c.network, int(surplus)); budget.Remaining == 0 {
		c.pause()
	}
	return n, err
}

// pause waits until the network may send more bytes, for at most maxInputPause, or until the
// connection is closed.
func (c *input) pause() {
	tick := time.NewTicker(inputPoll)
	defer tick.Stop()
	for end := time.Now().Add(maxInputPause); time.Now().Before(end); {
		select {
		case <-tick.C:
		case <-c.closed:
			return
		}
		if _, ok := c.limiter.input.Check(c.network); ok {
			return
		}
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

// credit records that n bytes belong to a request. It gives back what was counted too much.
func (c *input) credit(n int) {
	surplus := c.surplus.Add(-int64(n))
	if surplus >= 0 {
		return
	}
	if back := min(-surplus, c.counted.Load()); back > 0 {
		c.counted.Add(-back)
		surplus = c.surplus.Add(back)
		c.limiter.input.Restore(c.network, int(back))
	}
	if surplus < -maxCredit {
		c.surplus.Store(-maxCredit)
	}
}

// hasTooManyFields reports whether r has too many header fields.
func hasTooManyFields(r *http.Request) bool {
	n := 0
	for _, values := range r.Header {
		n += len(values)
	}
	return n > maxFields
}

// countInput credits the connection of r with its headers, and with its body as a handler reads it
// from the request that countInput returns. It does not change r: net/http looks at the body of r to
// decide whether to wait for a body that no handler has read (for example after Expect: 100-continue).
func (q *requests) countInput(r *http.Request) *http.Request {
	c, ok := q.conn.(*input)
	if !ok {
		return r
	}
	const perValue = 4 // bytes besides a name and a value in HTTP/1
	size := len(r.Method) + len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(v) + perValue
		}
	}
	limit := maxHeaderCredit
	if r.ProtoMajor >= 2 {
		limit = maxHeaderCredit2
	}
	c.credit(min(size, limit) + requestOverhead)
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context())
		r.Body = body{r.Body, c}
	}
	return r
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
