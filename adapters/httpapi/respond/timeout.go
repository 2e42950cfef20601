package respond

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
)

// WithTimeout runs do while the context of the request has the timeout d. Afterwards it restores
// the former context of the request, with which recoverPanics checks whether the client has
// disconnected.
func WithTimeout(c *gin.Context, d time.Duration, do func()) {
	whole := c.Request
	ctx, cancel := context.WithTimeout(whole.Context(), d)
	defer func() {
		cancel()
		c.Request = whole
	}()
	c.Request = whole.WithContext(ctx)
	do()
}
