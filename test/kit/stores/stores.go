// Package stores opens both stores for tests.
package stores

import (
	"testing"

	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// Backend is a store with its schools and its queue, as one instance of the server opens it.
type Backend struct {
	Store   ports.Store
	Schools ports.Schools
	Queue   ports.Queue
}

// Memory returns a new store in memory.
func Memory() Backend {
	s := memory.New()
	return Backend{s, s.Schools(), s.Queue()}
}

// Postgres opens the database of a DSN with at most conns connections until the end of the test.
// Several calls with the same DSN are like several instances of the server.
func Postgres(t testing.TB, dsn string, conns int) Backend {
	t.Helper()
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, MaxConns: conns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := postgres.New(db)
	return Backend{s, s.Schools(), s.Queue()}
}

// An Opener opens a new, empty store.
type Opener func(t *testing.T) Backend

// Each runs a test on each store, in parallel.
func Each(t *testing.T, test func(t *testing.T, open Opener)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, func(*testing.T) Backend { return Memory() })
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, func(t *testing.T) Backend { return Postgres(t, pgtest.Exclusive(t), 8) })
	})
}
