package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
	"lyceum/ports"
)

// inTxKey is the context key that WithinTx sets.
type inTxKey struct{}

var errNested = errors.New("postgres: transactions cannot be nested")

// NotInside returns an error if ctx comes from WithinTx, so that transactions are not nested.
func NotInside(ctx context.Context) error {
	if ctx.Value(inTxKey{}) != nil {
		return errNested
	}
	return nil
}

// WithinTx returns the context for a function that runs in a transaction; see NotInside.
func WithinTx(ctx context.Context) context.Context { return context.WithValue(ctx, inTxKey{}, true) }

// attempt calls fn once. If a statement has met a conflict, attempt returns the conflict even if fn
// ignores it, because such a transaction cannot be committed.
func (db *DB) attempt(
	ctx context.Context, c *Session, pool *sqlx.DB, fn func(context.Context, *Session) error,
) error {
	if pool == db.pool {
		slot, err := c.admit(ctx)
		defer slot.Release() // after the end of the transaction
		if err != nil {
			return err
		}
	}
	tx, err := pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return Translate(ctx, err)
	}
	// After a commit, Rollback does nothing.
	defer func() { _ = tx.Rollback() }()
	if pool != db.pool {
		if _, err := tx.ExecContext(ctx, AverageSchool); err != nil {
			return Translate(ctx, err)
		}
	}
	if d, ok := ports.LockTimeout(ctx); ok {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", d.Milliseconds())); err != nil {
			return Translate(ctx, err)
		}
	}
	c.tx = &transaction{Tx: tx}
	err = fn(WithinTx(ctx), c)
	switch {
	case c.tx.conflict != nil:
		return c.tx.conflict
	case errors.Is(err, ports.ErrChanged):
		return &ConflictError{Cause: err, exhausted: err}
	case err != nil:
		return err
	}
	if err := tx.Commit(); err != nil {
		return translateCommit(ctx, err)
	}
	c.NotifyAdded()
	c.prepareMissed(ctx)
	return nil
}
