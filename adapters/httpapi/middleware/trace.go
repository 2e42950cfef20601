package middleware

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/redact"
	"lyceum/adapters/tracing"
)

// trace records a span for the request, without its path and its query, which may contain secrets.
// The span belongs to that of the header traceparent.
func (m *Middleware) trace(c *gin.Context) {
	x := respond.StateOf(c)
	if !tracing.On() || x.Route.Probe {
		return
	}
	method := redact.Method(c.Request.Method)
	ctx, span := tracing.BeginRequest(c.Request, method+" "+c.FullPath(), tracing.Text("http.request.method", method),
		tracing.Text("http.route", c.FullPath()), tracing.Text("lyceum.request_id", x.RequestID))
	c.Request = c.Request.WithContext(ctx)
	c.Next()
	span.Set(tracing.Number("http.response.status_code", c.Writer.Status()))
	span.End(c.Writer.Status() >= http.StatusInternalServerError)
}
