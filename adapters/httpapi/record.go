package httpapi

import (
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/redact"
	"lyceum/adapters/httpapi/respond"
)

// record writes a line about each request to the log, and calls the observer. The
// line has neither query nor headers but the user agent, and of the path only
// what cannot be secret.
func (s *server) record(c *gin.Context) {
	begin := time.Now()
	c.Next()
	x, status, bytes, took := respond.StateOf(c), c.Writer.Status(), max(c.Writer.Size(), 0), time.Since(begin)
	s.cfg.Observe(c.Request.Method, c.FullPath(), status, bytes, took)
	attrs := []slog.Attr{
		slog.String("request_id", x.RequestID),
		slog.String("method", redact.Method(c.Request.Method)),
		slog.String("route", c.FullPath()),
		slog.String("path", redact.Path(s.words, c.FullPath(), c.Request.URL.EscapedPath())),
		slog.Int("status", status),
		slog.Int("bytes", bytes),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if s.cfg.Client != nil {
		attrs = append(attrs, slog.String("client", s.cfg.Client(c.Request).String()),
			slog.String("user_agent", redact.Agent(c.Request.UserAgent())))
	}
	if key := x.Actor.Key(); key.UUID != uuid.Nil {
		attrs = append(attrs, slog.String("school", x.Actor.School().String()), slog.String("key", key.String()))
	}
	s.Log.LogAttrs(c.Request.Context(), slog.LevelInfo, "request", attrs...)
}
