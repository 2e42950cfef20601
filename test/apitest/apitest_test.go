package apitest_test

import (
	"testing"

	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/test/apitest"
	"lyceum/test/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestMemory(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(*testing.T) apitest.Backend {
		store := memory.New()
		return apitest.Backend{Store: store, Schools: store.Schools(), Queue: store.Queue()}
	})
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.Backend {
		db, err := postgres.Open(t.Context(), postgres.Config{DSN: pgtest.Migrated(t), MaxConns: 4})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		store := postgres.New(db)
		return apitest.Backend{Store: store, Schools: store.Schools(), Queue: store.Queue()}
	})
}

func TestOutages(t *testing.T) {
	t.Parallel()
	apitest.Outages(t, func(*testing.T) apitest.Backend {
		store := memory.New()
		return apitest.Backend{Store: store, Schools: store.Schools(), Queue: store.Queue()}
	})
}
