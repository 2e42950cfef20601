package server

import (
	"go.uber.org/fx"
	"lyceum/adapters/telemetry"
	"lyceum/ports"
)

// metrics returns the fx options for the metrics of the server.
func metrics(cfg Config) fx.Option {
	cfg.Metrics.Store = string(cfg.Store)
	return fx.Options(
		fx.Supply(cfg.Metrics),
		telemetry.Module,
		fx.Invoke(func(m *telemetry.Metrics, store ports.Store, q ports.Queue, files ports.Files, clock ports.Clock, of database) {
			m.Queue(q, clock)
			m.Store(store.Ready)
			m.Files(files.Ready)
			if of.DB != nil {
				m.Pool(of.DB.Stats)
				for _, r := range of.DB.Replicas().All() {
					m.Replica(r.Name, r.Age, r.Reads)
				}
			}
		}),
	)
}
