package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
)

// limitTime lets the work on a request end when its time is over; fail then
// tells the client.
func (s *server) limitTime(c *gin.Context) {
	whole := c.Request
	ctx, cancel := context.WithTimeout(whole.Context(), s.cfg.TimeLimit)
	defer func() {
		cancel()
		c.Request = whole // after a panic somebody still asks whether the client is there
	}()
	c.Request = whole.WithContext(ctx)
	c.Next()
}
