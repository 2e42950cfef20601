// Package monitoring tests the dashboard and the alert rules in docs/deploy against the metrics of
// a running server and, if asked, with Prometheus.
package monitoring
