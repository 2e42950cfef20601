package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.uber.org/fx"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/ports"
)

// Module provides ports.Store, ports.Schools and ports.Queue on the database of a Config; it needs
// a *slog.Logger. Before it provides the store, it opens the database and migrates it if
// Config.MigrateAtStart is true. It returns an error if migrations.Check rejects the schema, or if
// the clocks of the server and the database differ (pgdb.DB.CheckClock). The module closes the
// database when the application stops.
var Module = fx.Module("postgres",
	fx.Provide(
		openForApp,
		New,
		func(s *Store) ports.Store { return s },
		(*Store).Schools,
		(*Store).Queue,
	),
)

func openForApp(lc fx.Lifecycle, cfg pgdb.Config, logger *slog.Logger) (*pgdb.DB, error) {
	ctx := context.Background()
	db, err := pgdb.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.MigrateAtStart {
		err = migrations.Apply(ctx, db, logger)
	}
	if err == nil {
		err = migrations.Check(ctx, db)
	}
	if err == nil {
		err = db.CheckClock(ctx, time.Now)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	lc.Append(fx.StopHook(db.Close))
	return db, nil
}
