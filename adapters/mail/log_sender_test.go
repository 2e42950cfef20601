package mail_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/mail"
)

func TestLogNamesMessageAndNoPerson(t *testing.T) {
	is := is.New(t)
	var log bytes.Buffer
	logger := mail.NewLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	is.NoErr(logger.Send(t.Context(), message))
	is.True(strings.HasSuffix(log.String(),
		" level=INFO msg=\"invitation email not sent (mail.mode is log)\" job=018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10 school=Acme\n"))
	is.True(!strings.Contains(log.String(), "ada"))
	is.True(!strings.Contains(log.String(), "Ada"))
}

func TestLoggerChecksContext(t *testing.T) {
	is := is.New(t)
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	is.Equal(mail.NewLogger(slog.New(slog.NewTextHandler(&log, nil))).Send(ctx, message), context.Canceled)
	is.Equal(log.String(), "")
}
