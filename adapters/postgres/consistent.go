package postgres

import (
	"context"
	"database/sql"
)

// snapshot runs fn, which reads with several statements, so that all of them see
// the same moment. In a transaction they see what it sees.
func (c *dbSession) snapshot(ctx context.Context, fn func(c *dbSession) error) error {
	if c.tx != nil {
		return fn(c)
	}
	slot, err := c.admit(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	tx, err := c.db.pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return translate(ctx, err)
	}
	inner := &dbSession{db: c.db, stmts: c.stmts, school: c.school, tx: &transaction{Tx: tx}}
	err = fn(inner)
	if errEnd := tx.Rollback(); err == nil { // nothing was written
		err = translate(ctx, errEnd)
	}
	inner.prepareMissed(ctx)
	return err
}
