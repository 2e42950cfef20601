package lists

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/compress"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/redact"
)

// Stream sends a response of any length, which write produces. It holds a slot of the school's
// exports. It ends early if the client is slower than pace, the key is revoked or the context ends.
// An error after the start of the response aborts the connection, so that the client cannot mistake
// a truncated body for a complete one.
func (s *Server) Stream(c *gin.Context, headers map[string]string, pace limits.Pace, write func(w Flusher) error) error {
	h := c.Writer.Header()
	setHeaders := func() {
		for name, value := range headers {
			h.Set(name, value)
		}
	}
	if c.Request.Method == http.MethodHead {
		setHeaders()
		c.Status(http.StatusOK)
		c.Writer.WriteHeaderNow()
		return nil
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), s.Lanes.Exports, respond.StateOf(c).Origin(),
		"Too many exports are running. Try again later")
	defer slot.Release()
	if err != nil {
		return err
	}
	setHeaders()
	w := &deadlineWriter{
		ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer),
		pace:  pace,
		check: func() error { return s.Reauthenticate(c) }, checked: time.Now(),
	}
	_ = w.control.SetReadDeadline(time.Time{}) // the request has been read; its deadline must not end the response
	if err = s.compressed(c, w, write); err == nil {
		return nil
	}
	if c.Writer.Written() {
		s.Log.WarnContext(c.Request.Context(), "export aborted",
			"request_id", respond.StateOf(c).RequestID, "error", redact.Connection(err))
		panic(http.ErrAbortHandler)
	}
	for name := range headers {
		h.Del(name)
	}
	h.Del("Content-Encoding")
	return err
}

// compressed calls write with w, or with a writer that compresses to w if the client accepts gzip.
// In both cases w receives the bytes that are sent to the client.
func (s *Server) compressed(c *gin.Context, w Flusher, write func(w Flusher) error) error {
	if !s.Compresses(c) {
		return write(w)
	}
	c.Header("Content-Encoding", compress.Encoding)
	zipped := compress.NewStream(w)
	if err := write(gzipWriter{zipped, w}); err != nil {
		zipped.Abort()
		return err
	}
	return zipped.Close()
}

// gzipWriter compresses the bytes that are written to it.
type gzipWriter struct {
	compress.Stream
	out Flusher
}

// Flush sends everything that has been written so far.
func (z gzipWriter) Flush() error {
	if err := z.Stream.Flush(); err != nil {
		return err
	}
	return z.out.Flush()
}
