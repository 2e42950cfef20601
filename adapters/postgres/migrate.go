package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrPending says that the schema waits for Migrate.
var ErrPending = errors.New("the database's schema is not up to date")

// Migrate brings the schema up to date. Several instances may do it at once:
// one works while the others wait. It runs on a connection of its own, without
// the limits in time of the pool, since a migration may take long.
func Migrate(ctx context.Context, db *DB, logger *slog.Logger) (err error) {
	conn := sql.OpenDB(db.bulk)
	defer func() { err = errors.Join(err, conn.Close()) }()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 1800), lock.WithUnlockTimeout(1, 60))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	provider, err := newProvider(conn, goose.WithSessionLocker(locker), goose.WithSlog(logger))
	if err != nil {
		return err
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return translate(ctx, fmt.Errorf("migrate: %w", err))
	}
	for _, m := range done {
		logger.InfoContext(ctx, "schema migrated", "migration", m.Source.Path, "took", m.Duration)
	}
	return nil
}

// Pending tells whether the schema waits for Migrate. A schema that is newer
// than this program does not.
func Pending(ctx context.Context, db *DB) (bool, error) {
	provider, err := newProvider(db.pool.DB)
	if err != nil {
		return false, err
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("look for pending migrations: %w", err)
	}
	return pending, nil
}

func newProvider(db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files,
		append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	return p, nil
}
