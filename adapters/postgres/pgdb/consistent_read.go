package pgdb

import (
	"context"
	"database/sql"
)

// ReadSnapshot calls fn with a session whose statements all see the same state of the database. If
// c is already in a transaction, fn gets c itself.
func (c *Session) ReadSnapshot(ctx context.Context, fn func(c *Session) error) error {
	if c.tx != nil {
		return fn(c)
	}
	if done, err := c.onReplica(ctx, func(c *Session) (used bool, err error) {
		err = c.ReadSnapshot(ctx, func(inner *Session) error {
			used = true
			return fn(inner)
		})
		return used, err
	}); done {
		return err
	}
	slot, err := c.admit(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	tx, err := c.DB.pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return Translate(ctx, err)
	}
	inner := &Session{DB: c.DB, stmts: c.stmts, SchoolID: c.SchoolID, tx: &transaction{Tx: tx}}
	err = fn(inner)
	if errEnd := tx.Rollback(); err == nil { // there is nothing to commit
		err = Translate(ctx, errEnd)
	}
	inner.prepareMissed(ctx)
	return err
}
