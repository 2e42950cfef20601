package postgres_test

import (
	"log/slog"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

func TestModule(t *testing.T) {
	is := is.New(t)
	var store ports.Store
	var schools ports.Schools
	var queue ports.Queue
	app := fxtest.New(t,
		fx.Supply(pgdb.Config{DSN: pgtest.Fresh(t), MigrateAtStart: true}, slog.New(slog.DiscardHandler)),
		postgres.Module,
		fx.Populate(&store, &schools, &queue),
	).RequireStart()
	is.NoErr(store.Ready(t.Context())) // migrated before the store was provided
	found, err := schools.List(t.Context())
	is.NoErr(err)
	is.Equal(len(found), 0)
	jobs, err := queue.List(t.Context(), "letter")
	is.NoErr(err)
	is.Equal(len(jobs), 0)

	app.RequireStop()
	is.True(store.Ready(t.Context()) != nil) // the database is closed
}
