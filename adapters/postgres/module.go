package postgres

import (
	"context"
	"log/slog"

	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides ports.Store, ports.Loader, ports.Schools and ports.Queue on the database of
// the Config that it is given, beside a *slog.Logger. The database is opened, and migrated
// if the Config says so, before anything that needs the store is made; it is
// closed at the end.
var Module = fx.Module("postgres",
	fx.Provide(
		openForApp,
		New,
		func(s *Store) ports.Store { return s },
		func(s *Store) ports.Loader { return s },
		(*Store).Schools,
		(*Store).Queue,
	),
)

func openForApp(lc fx.Lifecycle, cfg Config, logger *slog.Logger) (*DB, error) {
	ctx := context.Background()
	db, err := Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	lc.Append(fx.StopHook(db.Close))
	if cfg.MigrateAtStart {
		if err := Migrate(ctx, db, logger); err != nil {
			return nil, err
		}
	}
	return db, nil
}
