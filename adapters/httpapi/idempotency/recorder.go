package idempotency

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/domain/idempotency"
)

// recorder is a response writer that records the response instead of sending it.
type recorder struct {
	gin.ResponseWriter // provides the other methods; the recorder writes nothing to it

	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder(outside gin.ResponseWriter) *recorder {
	return &recorder{ResponseWriter: outside, header: http.Header{}, status: http.StatusOK}
}

// Header returns the headers of the recorded response.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader records the status.
func (r *recorder) WriteHeader(status int) { r.status = status }

// WriteHeaderNow does nothing, because the recorder sends nothing.
func (r *recorder) WriteHeaderNow() {}

// Write records a part of the body.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// WriteString is like Write, but for a string.
func (r *recorder) WriteString(s string) (int, error) { return r.body.WriteString(s) }

// Status returns the recorded status.
func (r *recorder) Status() int { return r.status }

// Size returns the number of recorded bytes of the body.
func (r *recorder) Size() int { return r.body.Len() }

// Written returns false, because the recorder sends nothing.
func (r *recorder) Written() bool { return false }

func (r *recorder) response() idempotency.Response {
	return idempotency.Response{
		Status: r.status, Location: r.header.Get("Location"),
		ContentType: r.header.Get("Content-Type"), ETag: r.header.Get("ETag"), Body: r.body.Bytes(),
	}
}
