package transport

import (
	"context"
	"log"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"lyceum/adapters/redact"
)

// errorLog returns the logger for errors of net/http.
func errorLog(l *slog.Logger) *log.Logger { return log.New(stdlogWriter{l}, "", 0) }

// stdlogWriter writes messages of net/http to a slog.Logger, without secrets, addresses of clients and
// what clients sent.
type stdlogWriter struct{ log *slog.Logger }

var (
	// clientAddress matches the address of a client in a message, and the words before it.
	clientAddress = regexp.MustCompile(` (?:from client|from|serving) \S+:\d+:`)
	// greeting matches the first bytes of a connection that are not a preface of HTTP/2.
	greeting = regexp.MustCompile(`bogus greeting ".*"`)
)

// frequent contains the beginnings of messages that clients cause, for example by port scans.
var frequent = []string{"http: TLS handshake error", "http2: server"}

func (c stdlogWriter) Write(line []byte) (int, error) {
	level := slog.LevelWarn
	text := strings.TrimSpace(string(line))
	if slices.ContainsFunc(frequent, func(begin string) bool { return strings.HasPrefix(text, begin) }) {
		level = slog.LevelDebug
	}
	text = clientAddress.ReplaceAllString(text, ":")
	c.log.Log(context.Background(), level, "http server", "error", redact.Text(greeting.ReplaceAllString(text, "bogus greeting")))
	return len(line), nil
}
