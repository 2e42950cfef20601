package server

import (
	"go.uber.org/fx"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/adapters/telemetry"
	"lyceum/ports"
)

// metrics returns the fx options for the metrics of the server.
func metrics(cfg Config) fx.Option {
	cfg.Metrics.Store = string(cfg.Store)
	return fx.Options(
		fx.Supply(cfg.Metrics),
		telemetry.Module,
		fx.Invoke(func(m *telemetry.Metrics, q ports.Queue, files ports.Files, clock ports.Clock, of struct {
			fx.In
			DB *pgdb.DB `optional:"true"`
		},
		) {
			m.Queue(q, clock)
			m.Files(files.Ready)
			if of.DB != nil {
				m.Pool(of.DB.Stats)
			}
		}),
	)
}
