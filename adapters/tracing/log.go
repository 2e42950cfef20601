package tracing

import (
	"context"
	"log/slog"
	"regexp"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"lyceum/adapters/redact"
)

// address matches the address of the collector, whose path or query can contain credentials.
var address = regexp.MustCompile(`https?://[^\s"]+`)

// logTo makes OpenTelemetry write to log. By default it writes to the standard error, with the values
// of malformed environment variables, which can contain credentials of the collector.
func logTo(log *slog.Logger) {
	otel.SetLogger(logr.FromSlogHandler(messages{log.Handler()}))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("tracing", slog.String("error", redact.Text(address.ReplaceAllString(err.Error(), "the collector"))))
	}))
}

// messages is a handler that passes on the messages of records without their attributes.
type messages struct{ slog.Handler }

// Handle implements slog.Handler.
func (h messages) Handle(ctx context.Context, r slog.Record) error {
	message := slog.NewRecord(r.Time, r.Level, "tracing", r.PC)
	message.AddAttrs(slog.String("message", r.Message))
	return h.Handler.Handle(ctx, message)
}

// WithAttrs implements slog.Handler.
func (h messages) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h messages) WithGroup(string) slog.Handler { return h }
