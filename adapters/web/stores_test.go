package web_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// backend is a store with its queue and its schools.
type backend struct {
	store   ports.Store
	schools ports.Schools
	queue   ports.Queue
}

// opener opens an empty store.
type opener func(t *testing.T) backend

// onEachStore runs a test on each store.
func onEachStore(t *testing.T, test func(t *testing.T, open opener)) {
	t.Helper()
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		test(t, func(*testing.T) backend {
			s := memory.New()
			return backend{s, s.Schools(), s.Queue()}
		})
	})
	t.Run("postgres", func(t *testing.T) {
		test(t, func(t *testing.T) backend {
			db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.Migrated(t), MaxConns: 8})
			is.New(t).NoErr(err)
			t.Cleanup(func() { _ = db.Close() })
			s := postgres.New(db)
			return backend{s, s.Schools(), s.Queue()}
		})
	})
}
