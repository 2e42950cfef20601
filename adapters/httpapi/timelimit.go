package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// limitTime ends the work on a request when its time is over; fail then answers
// the client.
func (s *server) limitTime(c *gin.Context) {
	whole := c.Request
	ctx, cancel := s.allowed(c)
	defer func() {
		cancel()
		c.Request = whole // after a panic somebody still asks whether the client is there
	}()
	c.Request = whole.WithContext(ctx)
	c.Next()
}

// allowed returns the context in which a request may run.
func (s *server) allowed(c *gin.Context) (context.Context, context.CancelFunc) {
	limit := s.cfg.TimeLimit
	switch {
	case c.FullPath() == exportPath:
		limit = s.cfg.ExportTime
	case isHandIn(c):
		limit = s.cfg.UploadTime
	case isLong(c):
		limit = s.cfg.LongTime
	}
	return context.WithTimeout(c.Request.Context(), limit)
}

// isLong tells whether the request may change all the records of a course, of
// which there may be very many.
func isLong(c *gin.Context) bool {
	switch c.Request.Method + " " + c.FullPath() {
	case "DELETE /v2/courses/:id", "PUT /v2/courses/:id/structure":
		return true
	}
	return false
}

// await lets the answer come after the server's own limits. It is called once the
// request is read. A server that cannot grant it is just stricter.
func (s *server) await(c *gin.Context) {
	control := http.NewResponseController(c.Writer)
	_ = control.SetReadDeadline(time.Time{})
	if end, ok := c.Request.Context().Deadline(); ok {
		_ = control.SetWriteDeadline(end.Add(s.cfg.TimeLimit))
	}
}
