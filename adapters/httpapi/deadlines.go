package httpapi

import (
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/limits"
)

// This file ignores errors of http.ResponseController: if a deadline cannot be set, the server's
// own, stricter deadline applies.

// extendWriteDeadline allows the response to be sent until Config.TimeLimit after the deadline of
// the request's context. It removes the read deadline, so the body of the request must have been
// read.
func (s *server) extendWriteDeadline(c *gin.Context) {
	_ = s.responseControl(c).SetReadDeadline(time.Time{})
}

// responseControl returns the controller of the response, after it has set the write deadline to
// Config.TimeLimit after the deadline of the request's context.
func (s *server) responseControl(c *gin.Context) *http.ResponseController {
	control := http.NewResponseController(c.Writer)
	if end, ok := c.Request.Context().Deadline(); ok {
		_ = control.SetWriteDeadline(end.Add(s.cfg.TimeLimit))
	}
	return control
}

// extendReadDeadline returns a reader of body for an upload: the client can send until the deadline
// of the request's context, unless it is too slow (limits.Pace).
func (s *server) extendReadDeadline(c *gin.Context, body io.Reader) io.Reader {
	return &deadlineReader{r: body, control: s.responseControl(c), pace: limits.NewPace(s.cfg.UploadPause, s.cfg.UploadRate)}
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
