package model_test

import (
	"testing"

	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/kit/pgtest"
	"lyceum/test/model"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestMemory(t *testing.T) {
	s := memory.New()
	model.Run(t, model.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue()})
}

func TestPostgres(t *testing.T) {
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.DSN(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := postgres.New(db)
	model.Run(t, model.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue()})
}
