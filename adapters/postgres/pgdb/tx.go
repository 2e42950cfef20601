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
	"lyceum/ports"
)

// inTxKey is the context key that marks the context of a transaction's function.
type inTxKey struct{}

var errNested = errors.New("postgres: a transaction inside a transaction")

// NotInside returns an error if ctx is the context of a transaction's function.
func NotInside(ctx context.Context) error {
	if ctx.Value(inTxKey{}) != nil {
		return errNested
	}
	return nil
}

// WithinTx returns the context of a transaction's function.
func WithinTx(ctx context.Context) context.Context { return context.WithValue(ctx, inTxKey{}, true) }

// InTx calls fn with a session in a READ COMMITTED transaction. After a conflict with
// another transaction it calls fn again, at most ports.MaxTries times.
func (db *DB) InTx(ctx context.Context, school uuid.UUID, fn func(context.Context, *Session) error) error {
	return db.runWithRetry(ctx, db.pool, func() *Session { return db.Session(school) }, fn)
}

// runWithRetry implements InTx on connections of pool. For each try it calls begin to get a new
// session.
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
			return lastError(ctx, lost)
		}
		// A random pause that grows, so that the same transactions do not conflict again.
		if Pause(ctx, time.Duration(try)*time.Duration(1+rand.IntN(10))*time.Millisecond) != nil {
			return Translate(ctx, err)
		}
	}
}

// lastError returns the error after the last try: a fault about a unique value, otherwise an
// outage.
func lastError(ctx context.Context, lost *ConflictError) error {
	err := Translate(ctx, lost.last)
	if errors.As(err, new(*ConflictError)) {
		return Unavailable(lost.Cause)
	}
	return err
}

// attempt runs fn once. A conflict that a statement has met is returned even if fn ignores
// it, because the transaction is aborted.
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
	// After a commit this does nothing. Otherwise an error is being returned or a panic is in
	// progress.
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
		return &ConflictError{Cause: err, last: err}
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

// Pause waits for d or until ctx ends.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
