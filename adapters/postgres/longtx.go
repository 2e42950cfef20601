package postgres

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"
	"lyceum/domain/school"
	"lyceum/ports"
)

// longAtOnce is how many long transactions run at a time: each has a connection
// beside those of the pool.
const longAtOnce = 4

// InLongTx is InTx on a connection of its own, for which the limits in time of the
// pool do not hold.
func (s *Store) InLongTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if ctx.Value(inside{}) != nil {
		return errNested
	}
	select {
	case s.db.long <- struct{}{}:
		defer func() { <-s.db.long }()
	case <-ctx.Done():
		return translate(ctx, ctx.Err())
	}
	conn := sqlx.NewDb(sql.OpenDB(s.db.longs), "postgres")
	conn.SetMaxOpenConns(1)
	defer func() { _ = conn.Close() }() // what was to be kept is kept by then
	return s.retried(ctx, s.apart().session, conn, id, fn)
}

// apart returns a store whose sessions prepare nothing, for connections that are
// not of the pool.
func (s *Store) apart() *Store { return &Store{db: s.db, stmts: newStatements(nil, 0), conns: s.conns} }
