package httpapi

import (
	"fmt"
	"lyceum/adapters/httpapi/redact"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
)

// survive answers a panic of what comes after it like any other defect. When a
// part of the answer is already sent it breaks the connection instead, so that
// nobody takes the part for the whole.
func (s *server) survive(c *gin.Context) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler { //lint:ignore errorlint it is panicked with as it is
			panic(cause)
		}
		s.log.ErrorContext(c.Request.Context(), "panic",
			"request_id", exchangeOf(c).requestID, "cause", redact.Text(fmt.Sprint(cause)), "stack", string(debug.Stack()))
		if c.Writer.Written() {
			panic(http.ErrAbortHandler)
		}
		s.fail(c, refusef(http.StatusInternalServerError, defectDetail))
	}()
	c.Next()
}
