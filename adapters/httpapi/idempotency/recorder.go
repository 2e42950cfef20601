package idempotency

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/domain/replay"
)

// recorder takes an answer down instead of sending it.
type recorder struct {
	gin.ResponseWriter // for what else a writer can do; nothing is written to it

	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder(outside gin.ResponseWriter) *recorder {
	return &recorder{ResponseWriter: outside, header: http.Header{}, status: http.StatusOK}
}

// Header returns the headers of the answer alone.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader notes the status.
func (r *recorder) WriteHeader(status int) { r.status = status }

// WriteHeaderNow does nothing: nothing is sent.
func (r *recorder) WriteHeaderNow() {}

// Write notes a part of the body.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// WriteString is Write for a text.
func (r *recorder) WriteString(s string) (int, error) { return r.body.WriteString(s) }

// Status returns the status noted.
func (r *recorder) Status() int { return r.status }

// Size returns how much of the body is noted.
func (r *recorder) Size() int { return r.body.Len() }

// Written tells that nothing is sent yet.
func (r *recorder) Written() bool { return false }

// answer returns what was taken down.
func (r *recorder) answer() replay.Answer {
	return replay.Answer{
		Status: r.status, Location: r.header.Get("Location"),
		ContentType: r.header.Get("Content-Type"), ETag: r.header.Get("ETag"), Body: r.body.Bytes(),
	}
}
