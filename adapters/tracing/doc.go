// Package tracing records spans of requests, transactions, statements and jobs with OpenTelemetry.
// Spans are recorded only if the environment contains the address of a collector; otherwise none is
// created. Begin with Start and Begin.
package tracing
