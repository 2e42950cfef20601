package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// Files adds whether files can be kept, which ready reports at each scrape.
func (m *Metrics) Files(ready func(ctx context.Context) error) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "lyceum_files_ready",
		Help: "Whether submitted files can be kept: 1, or 0 when the folder is full or cannot be written.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
		defer cancel()
		if ready(ctx) != nil {
			return 0
		}
		return 1
	}))
}
