package transport

import (
	"bytes"
	"context"
	"log"
	"log/slog"
	"regexp"
	"strings"
)

// secret matches text that may be an API key, with its prefix escaped in any way, or the token of
// an invitation.
var secret = regexp.MustCompile(`(?i)lyc(?:_|%5f)[0-9a-z%]+|\b[0-9a-f]{32,}`)

// errorLog returns the logger for errors of net/http.
func errorLog(l *slog.Logger) *log.Logger { return log.New(stdlogWriter{l}, "", 0) }

// stdlogWriter writes messages of net/http to a slog.Logger, without secrets.
type stdlogWriter struct{ log *slog.Logger }

func (c stdlogWriter) Write(line []byte) (int, error) {
	level := slog.LevelWarn
	if bytes.Contains(line, []byte("TLS handshake error")) {
		level = slog.LevelDebug // such messages are frequent, and clients cause them, for example by port scans
	}
	text := secret.ReplaceAllString(strings.TrimSpace(string(line)), "[redacted]")
	c.log.Log(context.Background(), level, "http server", "error", text)
	return len(line), nil
}
