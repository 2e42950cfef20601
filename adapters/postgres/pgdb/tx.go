package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/ports"
)

// inside marks the context of a transaction's function.
type inside struct{}

var errNested = errors.New("postgres: a transaction inside a transaction")

// NotInside returns an error in the context of a transaction's function.
func NotInside(ctx context.Context) error {
	if ctx.Value(inside{}) != nil {
		return errNested
	}
	return nil
}

// WithinTx returns the context for a transaction's function.
func WithinTx(ctx context.Context) context.Context { return context.WithValue(ctx, inside{}, true) }

// InTx calls fn with a session in a READ COMMITTED transaction, again after a conflict
// with another transaction, at most ports.MaxTries times.
func (db *DB) InTx(ctx context.Context, school uuid.UUID, fn func(context.Context, *Session) error) error {
	return db.retried(ctx, db.Pool, func() *Session { return db.Session(school) }, fn)
}

// retried is InTx on the connections of pool, with sessions that begin makes.
func (db *DB) retried(
	ctx context.Context, pool *sqlx.DB, begin func() *Session, fn func(context.Context, *Session) error,
) error {
	for try := 1; ; try++ {
		err := db.attempt(ctx, begin(), pool, fn)
		var lost *ConflictError
		switch {
		case !errors.As(err, &lost):
			return err
		case try == ports.MaxTries:
			return final(ctx, lost)
		}
		// Longer each time, and by chance, lest the same two meet again.
		if Pause(ctx, time.Duration(try)*time.Duration(1+rand.IntN(10))*time.Millisecond) != nil {
			return Translate(ctx, err)
		}
	}
}

// final returns what the caller is told after the last try: a fault about a unique
// value, otherwise an outage.
func final(ctx context.Context, lost *ConflictError) error {
	err := Translate(ctx, lost.last)
	if errors.As(err, new(*ConflictError)) {
		return Unavailable(lost.Cause)
	}
	return err
}

// attempt runs fn once. A conflict that a statement has met is returned whatever
// fn made of it: the transaction is broken then.
func (db *DB) attempt(
	ctx context.Context, c *Session, pool *sqlx.DB, fn func(context.Context, *Session) error,
) error {
	if pool == db.Pool {
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
	// After the end this does nothing; before it, it is an error or a panic that
	// leaves, and nothing to add to it.
	defer func() { _ = tx.Rollback() }()
	if pool != db.Pool {
		if _, err := tx.ExecContext(ctx, AverageSchool); err != nil {
			return Translate(ctx, err)
		}
	}
	c.tx = &transaction{Tx: tx}
	err = fn(WithinTx(ctx), c)
	switch {
	case c.tx.lost != nil:
		return c.tx.lost
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
