// Package telemetry exports Prometheus metrics and pprof profiles on a listener that is
// separate from the API and its keys.
package telemetry
