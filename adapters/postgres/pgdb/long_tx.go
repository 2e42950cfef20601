package pgdb

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// maxLongTx is the maximum number of concurrent long transactions. Each has a connection of its own
// outside the pool.
const maxLongTx = 4

// InLongTx is like InTx, but on a separate connection without a statement timeout. If maxLongTx
// transactions are running, it waits until one ends.
func (db *DB) InLongTx(ctx context.Context, school uuid.UUID, fn func(context.Context, *Session) error) error {
	select {
	case db.long <- struct{}{}:
		defer func() { <-db.long }()
	case <-ctx.Done():
		return Translate(ctx, ctx.Err())
	}
	own := sqlx.NewDb(sql.OpenDB(db.longs), "postgres")
	own.SetMaxOpenConns(1)
	defer func() { _ = own.Close() }() // after the end of the transaction
	return db.runWithRetry(ctx, own, func() *Session { return db.unpooled(school) }, fn)
}

// OpenBulk returns a pool of connections for exports and imports. The caller must close it.
func (db *DB) OpenBulk() *sqlx.DB { return sqlx.NewDb(sql.OpenDB(db.bulk), "postgres") }

// OpenSchema returns a pool of connections for migrations. The caller must close it. It is nil if
// the database can be reached only through a transaction pooler.
func (db *DB) OpenSchema() *sql.DB {
	if db.schema.Connector == nil {
		return nil
	}
	return sql.OpenDB(db.schema)
}
