package respond

import (
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/limits"
)

// This file ignores errors of http.ResponseController: if a deadline cannot be set, the server's
// own, stricter deadline applies.

// ExtendWriteDeadline allows the response to be sent until TimeLimit after the deadline of the
// request's context. It removes the read deadline, so the body of the request must have been read.
func (r *Responder) ExtendWriteDeadline(c *gin.Context) {
	control := http.NewResponseController(c.Writer)
	r.extendWriteDeadline(c, control)
	_ = control.SetReadDeadline(time.Time{})
}

// extendWriteDeadline sets the write deadline to TimeLimit after the deadline of the request's
// context.
func (r *Responder) extendWriteDeadline(c *gin.Context, control *http.ResponseController) {
	if end, ok := c.Request.Context().Deadline(); ok {
		_ = control.SetWriteDeadline(end.Add(r.TimeLimit))
	}
}

// ExtendDeadlines returns a reader of body for an upload: the client can send until the deadline of
// the request's context, unless it is too slow (limits.Pace), and the response can be sent until
// TimeLimit after that deadline.
func (r *Responder) ExtendDeadlines(c *gin.Context, body io.Reader) io.Reader {
	control := http.NewResponseController(c.Writer)
	r.extendWriteDeadline(c, control)
	return r.PacedBody(control, body)
}

// PacedBody returns a reader of body for an upload. Its reads fail if the client is too slow
// (limits.Pace).
func (r *Responder) PacedBody(control *http.ResponseController, body io.Reader) io.Reader {
	return &deadlineReader{r: body, control: control, pace: limits.NewPace(r.UploadPause, r.UploadRate)}
}

// deadlineReader reads from a client until the client is too slow (limits.Pace).
type deadlineReader struct {
	r       io.Reader
	control *http.ResponseController
	pace    limits.Pace
}

// Read reads from the client. The time between calls does not count toward the pace.
func (u *deadlineReader) Read(b []byte) (int, error) {
	begin := time.Now()
	_ = u.control.SetReadDeadline(u.pace.Deadline(begin))
	n, err := u.r.Read(b)
	u.pace.Moved(n, time.Since(begin))
	return n, err
}
