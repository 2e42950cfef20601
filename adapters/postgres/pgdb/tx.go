package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/adapters/limiter"
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

// InTx calls fn with a session in a READ COMMITTED transaction. After a conflict with
// another transaction it calls fn again, at most ports.MaxTries times.
func (db *DB) InTx(ctx context.Context, school uuid.UUID, fn func(context.Context, *Session) error) error {
	return db.runWithRetry(ctx, db.pool, func() *Session { return db.Session(school) }, fn)
}

// runWithRetry implements InTx on the connections of a pool. For each try, it calls begin to get a
// new session.
func (db *DB) runWithRetry(
	ctx context.Context, pool *sqlx.DB, begin func() *Session, fn func(context.Context, *Session) error,
) error {
	for try := 1; ; try++ {
		err := db.attempt(ctx, begin(), pool, fn)
		var lost *ConflictError
		switch {
		case !errors.As(err, &lost):
			return err
		case try == ports.MaxTries:
			return exhaustedError(ctx, lost)
		}
		// The pause is random and grows with each try, so that the same transactions do not
		// conflict again.
		if limiter.Pause(ctx, time.Duration(try)*time.Duration(1+rand.IntN(10))*time.Millisecond) != nil {
			return Translate(ctx, err)
		}
	}
}

// exhaustedError returns the error of a transaction whose last try failed with lost: the
// translation of lost.exhausted, such as a fault about a unique value, or an outage if that is a
// conflict too.
func exhaustedError(ctx context.Context, lost *ConflictError) error {
	err := Translate(ctx, lost.exhausted)
	if errors.As(err, new(*ConflictError)) {
		return Unavailable(lost.Cause)
	}
	return err
}

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
