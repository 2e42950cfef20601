package tracing

import (
	"context"
	"net/http"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Variables are the environment variables of OpenTelemetry that contain the address of the
// collector. The exporter reads them, and the other variables of the OTLP exporter.
var Variables = []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"}

// on is whether spans are recorded.
var on atomic.Bool

// On reports whether spans are recorded.
func On() bool { return on.Load() }

// tracer creates the spans of this program.
func tracer() trace.Tracer { return otel.Tracer("lyceum") }

// An Attribute describes a span.
type Attribute = attribute.KeyValue

// Text returns an attribute with a text.
func Text(name, value string) Attribute { return attribute.String(name, value) }

// Number returns an attribute with a number.
func Number(name string, value int) Attribute { return attribute.Int(name, value) }

// A Span is a running span; the zero Span is not recorded.
type Span struct{ span trace.Span }

// Begin starts a span that belongs to the span of ctx, and returns the context of the new span.
func Begin(ctx context.Context, name string, attributes ...Attribute) (context.Context, Span) {
	ctx, span := tracer().Start(ctx, name, trace.WithAttributes(attributes...))
	return ctx, Span{span}
}

// BeginRequest is like Begin, for a request whose sender may have sent the header traceparent.
func BeginRequest(r *http.Request, name string, attributes ...Attribute) (context.Context, Span) {
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := tracer().Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attributes...))
	return ctx, Span{span}
}

// In reports whether ctx belongs to a recorded span.
func In(ctx context.Context) bool { return on.Load() && trace.SpanFromContext(ctx).IsRecording() }

// Set sets attributes.
func (s Span) Set(attributes ...Attribute) { s.span.SetAttributes(attributes...) }

// Rename changes the name.
func (s Span) Rename(name string) { s.span.SetName(name) }

// End ends the span. An error marks it as failed; its text is not recorded, because it may contain
// values.
func (s Span) End(failed bool) {
	if failed {
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}

// Transport returns a transport that adds the header traceparent to requests within a span.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !In(r.Context()) {
		return t.next.RoundTrip(r)
	}
	ctx, span := Begin(r.Context(), r.Method, Text("server.address", r.URL.Host))
	r = r.Clone(ctx)
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(r.Header))
	resp, err := t.next.RoundTrip(r)
	span.End(err != nil)
	return resp, err
}
