package transport

import (
	"bytes"
	"context"
	"log"
	"log/slog"
	"regexp"
	"strings"
)

// secret finds what may be an API key, however its first characters are written
// in an address, or the token of a link.
var secret = regexp.MustCompile(`(?i)lyc(?:_|%5f)[0-9a-z%]+|\b[0-9a-f]{32,}`)

// errorLog returns the log that the HTTP library writes its complaints to.
func errorLog(l *slog.Logger) *log.Logger { return log.New(complaints{l}, "", 0) }

// complaints passes what the HTTP library writes on to a slog.Logger, without
// API keys.
type complaints struct{ log *slog.Logger }

func (c complaints) Write(line []byte) (int, error) {
	level := slog.LevelWarn
	if bytes.Contains(line, []byte("TLS handshake error")) {
		level = slog.LevelDebug // port scans and plain HTTP: the client's fault, and many
	}
	text := secret.ReplaceAllString(strings.TrimSpace(string(line)), "[redacted]")
	c.log.Log(context.Background(), level, "http server", "error", text)
	return len(line), nil
}
