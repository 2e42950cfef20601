package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// Files adds a metric that is 1 if files can be stored and 0 otherwise. It calls ready at each
// scrape.
func (m *Metrics) Files(ready func(ctx context.Context) error) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "lyceum_files_ready",
		Help: "Whether submitted files can be stored: 1, or 0 if the directory is full or not writable.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
		defer cancel()
		if ready(ctx) != nil {
			return 0
		}
		return 1
	}))
}
