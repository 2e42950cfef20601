package respond

import (
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
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
// TimeLimit after that deadline. The reader is that of PacedBody.
func (r *Responder) ExtendDeadlines(c *gin.Context, body io.Reader) io.Reader {
	control := http.NewResponseController(c.Writer)
	r.extendWriteDeadline(c, control)
	return r.PacedBody(c.Request.Context(), control, body, StateOf(c).Origin())
}
