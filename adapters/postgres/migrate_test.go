package postgres_test

import (
	"errors"
	"log/slog"
	"regexp"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/test/kit/pgtest"
)

func TestMigrate(t *testing.T) {
	t.Run("several instances migrate concurrently", func(t *testing.T) {
		is := is.New(t)
		dsn := pgtest.Fresh(t)
		const instances = 4
		done := make(chan error, instances)
		for range instances {
			db := openDB(t, dsn)
			go func() { done <- migrations.Apply(t.Context(), db, slog.New(slog.DiscardHandler)) }()
		}
		for range instances {
			is.NoErr(<-done)
		}
		is.Equal(count(t, raw(t, dsn), `SELECT count(*) FROM goose_db_version WHERE version_id = 1`), 1) // applied once
	})
	t.Run("the store is not ready before the migration", func(t *testing.T) {
		is := is.New(t)
		db := openDB(t, pgtest.Fresh(t))
		s := postgres.New(db)
		is.True(errors.Is(migrations.Check(t.Context(), db), migrations.ErrPending))
		is.True(errors.Is(s.Ready(t.Context()), migrations.ErrPending))

		is.NoErr(migrations.Apply(t.Context(), db, slog.New(slog.DiscardHandler)))
		is.NoErr(migrations.Check(t.Context(), db))
		is.NoErr(s.Ready(t.Context()))
		is.NoErr(migrations.Apply(t.Context(), db, slog.New(slog.DiscardHandler))) // a second call does nothing
	})
	t.Run("rejects a newer schema with both versions", func(t *testing.T) {
		is := is.New(t)
		dsn := pgtest.Fresh(t)
		db := openDB(t, dsn)
		is.NoErr(migrations.Apply(t.Context(), db, slog.New(slog.DiscardHandler)))
		execute(t, raw(t, dsn), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`)
		for _, err := range []error{
			migrations.Check(t.Context(), db), migrations.Apply(t.Context(), db, slog.New(slog.DiscardHandler)),
		} {
			is.True(errors.Is(err, migrations.ErrNewer))
			is.True(regexp.MustCompile(`it has version 9999; this program needs version [1-9]\d*$`).MatchString(err.Error()))
		}
		is.NoErr(postgres.New(db).Ready(t.Context())) // a server that already runs continues
	})
	t.Run("a schema without the last migration is pending", func(t *testing.T) {
		is := is.New(t)
		dsn := pgtest.Migrated(t)
		db := openDB(t, dsn)
		execute(t, raw(t, dsn), `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
		err := migrations.Check(t.Context(), db)
		is.True(errors.Is(err, migrations.ErrPending))
		is.True(regexp.MustCompile(`it has version \d+; this program needs version \d+$`).MatchString(err.Error()))
	})
}
