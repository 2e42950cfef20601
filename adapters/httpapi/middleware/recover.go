package middleware

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/redact"
)

// recoverPanics turns a panic into a 500. If the response has already started, it aborts
// the connection, so that the client cannot mistake a truncated body for a complete one.
func (m *Middleware) recoverPanics(c *gin.Context) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler { //lint:ignore errorlint the value of the panic is never wrapped
			panic(cause)
		}
		m.Log.ErrorContext(c.Request.Context(), "panic",
			"request_id", respond.StateOf(c).RequestID, "cause", redact.Text(fmt.Sprint(cause)), "stack", string(debug.Stack()))
		if c.Writer.Written() {
			panic(http.ErrAbortHandler)
		}
		m.Fail(c, respond.HTTPErrorf(http.StatusInternalServerError, respond.DefectDetail))
	}()
	c.Next()
}
