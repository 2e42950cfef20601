package tracing_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/tracing"
)

func TestOff(t *testing.T) {
	is := is.New(t)
	is.True(!tracing.On())
	is.True(!tracing.In(t.Context()))
	allocations := testing.AllocsPerRun(100, func() { _ = tracing.In(t.Context()) })
	is.Equal(allocations, 0.0)
	sent := false
	resp, err := tracing.Transport(transport(func(r *http.Request) { sent = r.Header.Get("Traceparent") == "" })).RoundTrip(&http.Request{Header: http.Header{}})
	is.NoErr(err)
	is.NoErr(resp.Body.Close())
	is.True(sent) // unchanged
}

type transport func(r *http.Request)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	t(r)
	return &http.Response{Body: http.NoBody}, nil
}

func BenchmarkOff(b *testing.B) {
	ctx := b.Context()
	for b.Loop() {
		_ = tracing.In(ctx)
	}
}

// The log contains errors of OpenTelemetry without the credentials of the collector.
func TestErrorsAreLoggedWithoutCredentials(t *testing.T) {
	refused := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refused.Close()
	for name, headers := range map[string]string{"an escape": "authorization=Basic Zzqx0secret%token", "no name": "Bearer Zzqx0secret"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", refused.URL+"/Zzqx1secret")
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", headers)
			var log bytes.Buffer
			stop, err := tracing.Start(t.Context(), "1", "one", slog.New(slog.NewTextHandler(&log, nil)))
			is.NoErr(err)
			is.True(strings.Contains(log.String(), "msg=tracing message="))
			_, span := tracing.Begin(t.Context(), "span")
			span.End(false)
			refused.CloseClientConnections()
			_ = stop(t.Context()) // the collector refuses the span
			is.True(!strings.Contains(log.String(), "secret"))
		})
	}
}
