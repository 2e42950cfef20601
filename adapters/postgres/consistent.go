package postgres

import (
	"context"
	"database/sql"
)

// snapshot runs fn, which reads with several statements, so that all of them see
// the same moment. In a transaction they see what it sees.
func (c *session) snapshot(ctx context.Context, fn func(c *session) error) error {
	if c.tx != nil {
		return fn(c)
	}
	slot, err := c.admit(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	tx, err := c.store.db.pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return translate(ctx, err)
	}
	inner := &session{store: c.store, school: c.school, tx: &transaction{Tx: tx}}
	err = fn(inner)
	if errEnd := tx.Rollback(); err == nil { // nothing was written
		err = translate(ctx, errEnd)
	}
	inner.prepareMissed(ctx)
	return err
}
