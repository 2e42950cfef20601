package postgres

import (
	"context"
	"database/sql"
	"lyceum/adapters/postgres/listsql"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// School implements listsql.Querier.
func (c *session) School() uuid.UUID { return c.school }

// InTx implements listsql.Querier.
func (c *session) InTx() bool { return c.tx != nil }

// Get implements listsql.Querier.
func (c *session) Get(ctx context.Context, dest any, text string, args ...any) error {
	return c.get(ctx, dest, text, args...)
}

// Exec implements listsql.Querier.
func (c *session) Exec(ctx context.Context, text string, args ...any) error {
	_, err := c.exec(ctx, text, args...)
	return err
}

// Each implements listsql.Querier.
func (c *session) Each(ctx context.Context, once bool, text string, args []any, read func(*sqlx.Rows) error) error {
	return c.each(ctx, once, text, args, read)
}

// Snapshot implements listsql.Querier by a read-only transaction.
func (c *session) Snapshot(ctx context.Context, do func(listsql.Querier) error) error {
	slot, err := c.admit(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	tx, err := c.store.db.pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return c.seal(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // there is nothing to commit
	return do(&session{store: c.store, school: c.school, tx: &transaction{Tx: tx}})
}
