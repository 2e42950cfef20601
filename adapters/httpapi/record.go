package httpapi

import (
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/domain/text"
)

// record writes a line about each request to the log, and tells the observer. It shows neither query
// nor headers, and of the path only what cannot be secret.
func (s *server) record(c *gin.Context) {
	begin := time.Now()
	c.Next()
	x, status, bytes, took := exchangeOf(c), c.Writer.Status(), max(c.Writer.Size(), 0), time.Since(begin)
	s.cfg.Observe(c.Request.Method, c.FullPath(), status, bytes, took)
	attrs := []slog.Attr{
		slog.String("request_id", x.requestID),
		slog.String("method", redact(c.Request.Method)),
		slog.String("route", c.FullPath()),
		slog.String("path", redactPath(c.Request.URL.Path)),
		slog.Int("status", status),
		slog.Int("bytes", bytes),
		slog.Duration("duration", took),
	}
	if key := x.actor.Key(); key.UUID != uuid.Nil {
		attrs = append(attrs, slog.String("school", x.actor.School().String()), slog.String("key", key.String()))
	}
	s.log.LogAttrs(c.Request.Context(), slog.LevelInfo, "request", attrs...)
}

// redact returns a word as it may be logged: as it is, or as … when it could
// hold a key, an e-mail address, the token of a link or a trick on whoever reads
// the log.
func redact(word string) string {
	if !plainWord(word) || secretive(word) || text.IsToken(word) {
		return "…"
	}
	return word
}

// plainWord tells whether a word is one of at most 64 letters and digits of
// ASCII, _ and -.
func plainWord(word string) bool {
	for i := range len(word) {
		switch b := word[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_', b == '-':
		default:
			return false
		}
	}
	return len(word) <= 64
}

// private finds what may be an API key or the address of a person, escaped or
// not.
var private = regexp.MustCompile(`(?i)lyc(?:_|%5f)[0-9a-z%]+|[^\s"'<>(),;]+(?:@|%40)[^\s"'<>(),;]+`)

// redactText returns the text of an error as it may be logged: with … for each
// key and e-mail address that it quotes.
func redactText(s string) string { return private.ReplaceAllString(s, "…") }

// redactPath redacts each segment of a path.
func redactPath(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = redact(s)
	}
	return strings.Join(segments, "/")
}
