package telemetry

import (
	"database/sql"

	"github.com/prometheus/client_golang/prometheus"
)

// Pool adds the figures of a pool of connections to a database.
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
		gauge("connections_max", "Connections that there may be.",
			func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }),
		gauge("connections_open", "Connections that there are.",
			func(s sql.DBStats) float64 { return float64(s.OpenConnections) }),
		gauge("connections_in_use", "Connections at work.",
			func(s sql.DBStats) float64 { return float64(s.InUse) }),
		counter("waits_total", "How often somebody had to wait for a connection.",
			func(s sql.DBStats) float64 { return float64(s.WaitCount) }),
		counter("wait_seconds_total", "How long they waited.",
			func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }),
	)
}
