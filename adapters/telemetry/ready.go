package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// Store adds a metric that is 1 if the store serves requests and 0 otherwise. It calls ready at
// each scrape.
func (m *Metrics) Store(ready func(ctx context.Context) error) {
	m.ready("lyceum_store_ready",
		"Whether the store serves requests: 1, or 0 if the database is unreachable, read-only, or has an old schema.", ready)
}

// Files adds a metric that is 1 if files can be stored and 0 otherwise. It calls ready at each
// scrape.
func (m *Metrics) Files(ready func(ctx context.Context) error) {
	m.ready("lyceum_files_ready",
		"Whether submitted files can be stored: 1, or 0 if the directory is full or not writable.", ready)
}

func (m *Metrics) ready(name, help string, ready func(ctx context.Context) error) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
		defer cancel()
		if ready(ctx) != nil {
			return 0
		}
		return 1
	}))
}
