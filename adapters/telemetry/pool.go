package telemetry

import (
	"database/sql"

	"github.com/prometheus/client_golang/prometheus"
)

// Pool adds the metrics of a pool of database connections.
func (m *Metrics) Pool(stats func() sql.DBStats) {
	gauge := func(name, help string, of func(sql.DBStats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lyceum_database_" + name, Help: help},
			func() float64 { return of(stats()) })
	}
	counter := func(name, help string, of func(sql.DBStats) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lyceum_database_" + name, Help: help},
			func() float64 { return of(stats()) })
	}
	m.registry.MustRegister(
		gauge("connections_max", "Maximum number of open connections.",
			func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }),
		gauge("connections_open", "Number of open connections.",
			func(s sql.DBStats) float64 { return float64(s.OpenConnections) }),
		gauge("connections_in_use", "Number of connections in use.",
			func(s sql.DBStats) float64 { return float64(s.InUse) }),
		counter("waits_total", "Number of waits for a connection.",
			func(s sql.DBStats) float64 { return float64(s.WaitCount) }),
		counter("wait_seconds_total", "Total time spent waiting for a connection.",
			func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }),
	)
}
