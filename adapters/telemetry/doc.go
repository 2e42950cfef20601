// Package telemetry tells how the server is doing: figures for Prometheus and
// profiles for pprof, on a listener of their own, apart from the API and its
// keys.
package telemetry
