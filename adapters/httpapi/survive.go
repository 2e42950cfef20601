package httpapi

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/redact"
	"lyceum/adapters/httpapi/respond"
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
		s.Log.ErrorContext(c.Request.Context(), "panic",
			"request_id", respond.StateOf(c).RequestID, "cause", redact.Text(fmt.Sprint(cause)), "stack", string(debug.Stack()))
		if c.Writer.Written() {
			panic(http.ErrAbortHandler)
		}
		s.Fail(c, respond.Refusef(http.StatusInternalServerError, respond.DefectDetail))
	}()
	c.Next()
}
