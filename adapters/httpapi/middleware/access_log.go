package middleware

import (
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/redact"
)

// accessLog logs each request and calls the observer. It does not log the query, headers other than
// the user agent, or parts of the path that could be secret.
func (m *Middleware) accessLog(c *gin.Context) {
	begin := time.Now()
	c.Next()
	x, status, bytes, took := respond.StateOf(c), c.Writer.Status(), max(c.Writer.Size(), 0), time.Since(begin)
	m.cfg.Observe(c.Request.Method, c.FullPath(), status, bytes, took)
	attrs := []slog.Attr{
		slog.String("request_id", x.RequestID),
		slog.String("method", redact.Method(c.Request.Method)),
		slog.String("route", c.FullPath()),
		slog.String("path", redact.Path(m.routes.words, c.FullPath(), c.Request.URL.EscapedPath())),
		slog.Int("status", status),
		slog.Int("bytes", bytes),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if m.cfg.Client != nil {
		attrs = append(attrs, slog.String("client", m.cfg.Client(c.Request).String()),
			slog.String("user_agent", redact.Agent(c.Request.UserAgent())))
	}
	if key := x.Actor.Key(); key.UUID != uuid.Nil {
		attrs = append(attrs, slog.String("school", x.Actor.School().String()), slog.String("key", key.String()))
	}
	if x.Actor.IsLearner() {
		attrs = append(attrs, slog.String("school", x.Actor.School().String()), slog.String("token", x.Actor.Credential().String()),
			slog.String("person", x.Actor.Learner().String()))
	}
	m.Log.LogAttrs(c.Request.Context(), slog.LevelInfo, "request", attrs...)
}
