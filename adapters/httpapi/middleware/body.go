package middleware

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
)

// smallBody is the size in bytes up to which a body releases its slot as soon as it is read. The
// small bodies of all requests that wait for a slot of their class fit into memory.
const smallBody = 64 << 10

// BufferedBody is a request body in memory.
type BufferedBody struct {
	*bytes.Reader
	io.Closer
	all []byte
}

// NewBufferedBody returns a body of these bytes. Its Close calls closer.Close.
func NewBufferedBody(all []byte, closer io.Closer) *BufferedBody {
	return &BufferedBody{bytes.NewReader(all), closer, all}
}

// Bytes returns the whole body. The caller must not modify it.
func (b *BufferedBody) Bytes() []byte { return b.all }

// buffer reads the body of a request into memory, up to its limit, and returns the slots that the
// body holds, one of them for parsing a large body. A slot is nil if the body needs none. The handler
// refuses a body that is too large when it reads the body again.
func (m *Middleware) buffer(c *gin.Context) (body, parsing *limiter.Slot, err error) {
	if c.Request.Body == nil || c.Request.Body == http.NoBody || c.Request.ContentLength == 0 {
		return nil, nil, nil
	}
	x, ctx := respond.StateOf(c), c.Request.Context()
	size := c.Request.ContentLength
	if size < 0 || size > x.BodyLimit {
		size = x.BodyLimit
	}
	units := int((size + m.cfg.BodyLimit - 1) / m.cfg.BodyLimit)
	body, err = m.Lanes.EnterN(ctx, m.Lanes.Bodies, x.Origin(), units, limits.TooManyRequests)
	if err == nil {
		err = m.bufferBody(c, x.BodyLimit, body)
	}
	if err == nil && size > m.cfg.BodyLimit { // only now, because the client may have sent it slowly
		parsing, err = m.Lanes.Enter(ctx, m.Lanes.LargeBodies, x.Origin(), limits.TooManyRequests)
	}
	return body, parsing, err
}

// smallForm is the size in bytes up to which a form takes no slot: its connection takes more memory.
const smallForm = 4 << 10

// BufferForm is like buffer, but for a form of the academy. A form that is not small takes slots
// for its bytes, which count toward the network of the client.
func (m *Middleware) BufferForm(c *gin.Context, limit int64) (*limiter.Slot, error) {
	size := c.Request.ContentLength
	if c.Request.Body == nil || c.Request.Body == http.NoBody || size == 0 {
		return nil, nil
	}
	if 0 < size && size <= smallForm {
		return nil, m.bufferBody(c, smallForm, nil)
	}
	slot, err := m.Lanes.EnterPage(c.Request.Context(), limiter.Origin{School: m.Network(c)}, int(limit))
	if err != nil {
		return slot, err
	}
	return slot, m.bufferBody(c, limit, slot)
}

// bufferBody reads the body of a request into memory, up to one byte more than limit. If the body
// is small, it releases the slot.
func (m *Middleware) bufferBody(c *gin.Context, limit int64, slot *limiter.Slot) error {
	// The time limit of the body starts here, not with the request, because a slow database may
	// have taken long to find the key. If the deadline cannot be set, the server's own deadline
	// applies.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(m.cfg.BodyTime))
	buffered, err := m.readAll(c, c.Request.Body, limit)
	if err != nil {
		return err
	}
	c.Request.Body = buffered
	if buffered.Len() <= smallBody {
		slot.Release()
	}
	return nil
}

// readAll reads a body, up to one byte more than limit. If a body is larger than smallBody, readAll
// waits according to the size of the body before it reads the rest.
func (m *Middleware) readAll(c *gin.Context, body io.ReadCloser, limit int64) (*BufferedBody, error) {
	var read bytes.Buffer
	size := c.Request.ContentLength
	if size < 0 || size > limit {
		size = limit
	}
	if _, err := read.ReadFrom(io.LimitReader(body, min(smallBody, limit)+1)); err != nil {
		return nil, respond.ReadError("body", err)
	}
	if read.Len() > smallBody {
		if err := m.delay(c, int(size/bodyPerUnit)); err != nil {
			return nil, err
		}
		if c.Request.ContentLength > 0 {
			read.Grow(int(size) - read.Len() + bytes.MinRead)
		}
		if _, err := read.ReadFrom(io.LimitReader(body, limit+1-int64(read.Len()))); err != nil {
			return nil, respond.ReadError("body", err)
		}
	}
	return NewBufferedBody(read.Bytes(), body), nil
}
