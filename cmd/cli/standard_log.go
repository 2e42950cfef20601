package cli

import (
	"log"
	"log/slog"
	"strings"

	"lyceum/adapters/redact"
)

// redirectStandardLog makes packages that use the standard logger, such as net/http, write to l.
func redirectStandardLog(l *slog.Logger) {
	log.SetFlags(0)
	log.SetOutput(standardLog{l})
}

// standardLog writes messages of the standard logger to a slog.Logger, without secrets, and without
// what other servers sent: net/http quotes bytes that follow a response.
type standardLog struct{ log *slog.Logger }

// Write implements io.Writer.
func (w standardLog) Write(line []byte) (int, error) {
	text, _, _ := strings.Cut(strings.TrimSpace(string(line)), " starting with ")
	w.log.Warn("standard log", slog.String("error", redact.Text(text)))
	return len(line), nil
}
