// Package tracing tests the spans that a server exports to a collector of OpenTelemetry.
package tracing
