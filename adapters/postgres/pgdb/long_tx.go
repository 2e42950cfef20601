package pgdb

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// longAtOnce is how many long transactions run at a time: each has a connection
// beside those of the pool.
const longAtOnce = 4

// InLongTx is inTx on a connection of its own, for which the limits in time of the
// pool do not hold.
func (db *DB) InLongTx(ctx context.Context, school uuid.UUID, fn func(context.Context, *Session) error) error {
	select {
	case db.long <- struct{}{}:
		defer func() { <-db.long }()
	case <-ctx.Done():
		return Translate(ctx, ctx.Err())
	}
	own := sqlx.NewDb(sql.OpenDB(db.longs), "postgres")
	own.SetMaxOpenConns(1)
	defer func() { _ = own.Close() }() // what was to be kept is kept by then
	return db.retried(ctx, own, func() *Session { return db.apart(school) }, fn)
}

// OpenBulk returns a pool of connections for exports and imports, which the caller
// closes.
func (db *DB) OpenBulk() *sqlx.DB { return sqlx.NewDb(sql.OpenDB(db.bulk), "postgres") }

// OpenSchema returns a pool of connections for migrations, which the caller closes; nil
// if no connection leads past a pooler of transactions.
func (db *DB) OpenSchema() *sql.DB {
	if db.schema.Connector == nil {
		return nil
	}
	return sql.OpenDB(db.schema)
}
