package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Start exports spans to the collector that the environment names, until stop is called, which
// sends the last ones. Errors of the exporter are logged.
func Start(ctx context.Context, version, server string, log *slog.Logger) (stop func(context.Context) error, err error) {
	logTo(log)
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	// The environment (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES) takes precedence.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "lyceum"),
		attribute.String("service.version", version), attribute.String("service.instance.id", server)), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetTracerProvider(provider)
	on.Store(true)
	return func(ctx context.Context) error {
		on.Store(false)
		return provider.Shutdown(ctx)
	}, nil
}
