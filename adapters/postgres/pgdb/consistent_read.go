package pgdb

import (
	"context"
	"database/sql"
)

// ReadSnapshot calls fn with a session whose statements all see the same state of the database. If
// c is already in a transaction, fn gets c itself.
func (s *Session) ReadSnapshot(ctx context.Context, fn func(c *Session) error) error {
	if s.tx != nil {
		return fn(s)
	}
	if done, err := s.onReplica(ctx, func(c *Session) (used bool, err error) {
		err = c.ReadSnapshot(ctx, func(inner *Session) error {
			used = true
			return fn(inner)
		})
		return used, err
	}); done {
		return err
	}
	slot, err := s.admit(ctx)
	defer slot.Release()
	if err != nil {
		return err
	}
	tx, err := s.DB.pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return Translate(ctx, err)
	}
	inner := &Session{DB: s.DB, stmts: s.stmts, SchoolID: s.SchoolID, tx: &transaction{Tx: tx}}
	err = fn(inner)
	if errEnd := tx.Rollback(); err == nil { // there is nothing to commit
		err = Translate(ctx, errEnd)
	}
	inner.prepareMissed(ctx)
	return err
}
