package httpapi

import "github.com/gin-gonic/gin"

// limitTime lets the work on a request end when its time is over; fail then
// tells the client. An export may take as long as its client reads.
func (s *server) limitTime(c *gin.Context) {
	if c.FullPath() == exportPath { // which limits each piece of its answer
		c.Next()
		return
	}
	whole := c.Request
	ctx, cancel := s.allowed(c)
	defer func() {
		cancel()
		c.Request = whole // after a panic somebody still asks whether the client is there
	}()
	c.Request = whole.WithContext(ctx)
	c.Next()
}
