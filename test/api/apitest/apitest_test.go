package apitest_test

import (
	"testing"

	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/api/apitest"
	"lyceum/test/kit/pgtest"
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
	apitest.Run(t, onPostgres)
}

func onPostgres(t *testing.T) apitest.Backend {
	t.Helper()
	dsn := pgtest.Migrated(t)
	open := func() *postgres.Store {
		db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, MaxConns: 4})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return postgres.New(db)
	}
	store := open()
	return apitest.Backend{Store: store, Schools: store.Schools(), Queue: store.Queue(), Second: open()}
}

func TestOutages(t *testing.T) {
	t.Parallel()
	apitest.Outages(t, func(*testing.T) apitest.Backend {
		store := memory.New()
		return apitest.Backend{Store: store, Schools: store.Schools(), Queue: store.Queue()}
	})
}

func TestOutagesOnPostgres(t *testing.T) {
	t.Parallel()
	apitest.OutagesOnOneServer(t, onPostgres)
}
