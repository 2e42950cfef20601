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

// Even if all connections are in use, the store is ready, and a read is rejected after a short time
// instead of waiting until its context ends.
func TestReadyWithBusyPool(t *testing.T) {
	is := is.New(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.Migrated(t), MaxConns: 1})
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	s := postgres.New(db)
	mine := newSchool(t, s)
	is.NoErr(s.InTx(t.Context(), mine, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.GetForUpdate(ctx); err != nil { // occupies the only connection
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
