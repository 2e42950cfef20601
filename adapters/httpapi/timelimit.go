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
	switch s.classOf(c) {
	case classExport:
		limit = s.cfg.ExportTime
	case classUpload:
		limit = s.cfg.UploadTime
	case classLong:
		limit = s.cfg.LongTime
	}
	return context.WithTimeout(c.Request.Context(), limit)
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
