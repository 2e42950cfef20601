package telemetry

import "github.com/prometheus/client_golang/prometheus"

// Connections contains counts of client connections.
type Connections struct {
	Open, Waiting int // current counts; waiting connections have no request
	// Connections closed because of a limit since the start: new connections that were refused, and
	// waiting connections that were replaced.
	Refused, Replaced int64
}

var (
	connections = prometheus.NewDesc("lyceum_connections",
		"Open connections of clients, by state: active or waiting (without a request).", []string{"state"}, nil)
	closed = prometheus.NewDesc("lyceum_connections_closed_total",
		"Connections closed because of a limit, by reason: refused (a new one) or replaced (a waiting one).", []string{"reason"}, nil)
)

// Connections adds the metrics of client connections.
func (m *Metrics) Connections(stats func() Connections) {
	m.registry.MustRegister(connectionStats(stats))
}

type connectionStats func() Connections

// Describe implements prometheus.Collector.
func (connectionStats) Describe(to chan<- *prometheus.Desc) { to <- connections; to <- closed }

// Collect implements prometheus.Collector.
func (c connectionStats) Collect(to chan<- prometheus.Metric) {
	s := c()
	to <- prometheus.MustNewConstMetric(connections, prometheus.GaugeValue, float64(s.Open-s.Waiting), "active")
	to <- prometheus.MustNewConstMetric(connections, prometheus.GaugeValue, float64(s.Waiting), "waiting")
	to <- prometheus.MustNewConstMetric(closed, prometheus.CounterValue, float64(s.Refused), "refused")
	to <- prometheus.MustNewConstMetric(closed, prometheus.CounterValue, float64(s.Replaced), "replaced")
}
