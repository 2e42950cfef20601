package respond

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
)

// WithTimeout calls do while the request's context has the timeout d. Afterwards it restores the
// previous context, because recoverPanics uses it to check whether the client has disconnected.
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
