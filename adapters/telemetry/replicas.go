package telemetry

import "github.com/prometheus/client_golang/prometheus"

// Replica adds the metrics of a replica of the database: the age of its state in seconds, which is
// infinite while it does not respond and NaN while it is a primary, and the number of requests that
// it has served.
func (m *Metrics) Replica(name string, age func() float64, reads func() int64) {
	of := prometheus.Labels{"replica": name}
	m.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "lyceum_replica_age_seconds", Help: "Upper bound of the age of the state that a replica shows; +Inf while it does not respond, NaN while it is a primary.",
			ConstLabels: of,
		}, age),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "lyceum_replica_requests_total", Help: "Number of requests whose reads were routed to a replica.", ConstLabels: of,
		}, func() float64 { return float64(reads()) }),
	)
}
