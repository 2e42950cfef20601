package transport

import (
	"bytes"
	"context"
	"log"
	"log/slog"
	"strings"

	"lyceum/adapters/redact"
)

// errorLog returns the logger for errors of net/http.
func errorLog(l *slog.Logger) *log.Logger { return log.New(stdlogWriter{l}, "", 0) }

// stdlogWriter writes messages of net/http to a slog.Logger, without secrets.
type stdlogWriter struct{ log *slog.Logger }

func (c stdlogWriter) Write(line []byte) (int, error) {
	level := slog.LevelWarn
	if bytes.Contains(line, []byte("TLS handshake error")) {
		level = slog.LevelDebug // such messages are frequent, and clients cause them, for example by port scans
	}
	c.log.Log(context.Background(), level, "http server", "error", redact.Text(strings.TrimSpace(string(line))))
	return len(line), nil
}
