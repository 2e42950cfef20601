package postgres_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// While all connections are in use the store is ready, and a read is refused in
// time instead of waiting for as long as its context allows.
func TestBusyPool(t *testing.T) {
	is := is.New(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.Migrated(t), MaxConns: 1})
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	s := postgres.New(db)
	mine := newSchool(t, s)
	is.NoErr(s.InTx(t.Context(), mine, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.Find(ctx); err != nil { // takes the connection
			return err
		}
		is.NoErr(s.Ready(t.Context()))
		_, err := s.Read(mine).School.Get(t.Context())
		is.True(fault.Is(err, fault.Unavailable))
		return nil
	}))
	_, err = s.Read(mine).School.Get(t.Context())
	is.NoErr(err)
}
