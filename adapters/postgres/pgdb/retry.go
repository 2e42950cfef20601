package pgdb

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/adapters/limiter"
	"lyceum/ports"
)

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
		err := tracedTx(ctx, func(ctx context.Context) error { return db.attempt(ctx, begin(), pool, fn) })
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
