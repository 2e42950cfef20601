package tracing_test

import (
	"net/http"
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
