package postgres

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jmoiron/sqlx"
	"lyceum/domain/school"
	"lyceum/ports"
)

// maxTries bounds how often a transaction is run when others keep it from
// ending.
const maxTries = 5

// inside marks the context of a transaction's function.
type inside struct{}

var errNested = errors.New("postgres: a transaction inside a transaction")

// InTx runs fn in a READ COMMITTED transaction, again when the database had to
// break it off for another's sake (serialization failure, deadlock, a lost race
// for a unique value), at most maxTries times.
func (s *Store) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.retried(ctx, s.session, s.db.pool, id, fn)
}

// retried is InTx in a session that begin makes, on the connections of pool.
func (s *Store) retried(
	ctx context.Context, begin func(school.ID) *session, pool *sqlx.DB, id school.ID,
	fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if ctx.Value(inside{}) != nil {
		return errNested
	}
	if err := s.checkSchool(ctx, id); err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := s.attempt(ctx, begin(id), pool, fn)
		var lost *conflict
		switch {
		case !errors.As(err, &lost):
			return err
		case try == maxTries:
			return translate(ctx, lost.last)
		}
		// Longer each time, and by chance, lest the same two meet again.
		if pause(ctx, time.Duration(try)*time.Duration(1+rand.IntN(10))*time.Millisecond) != nil {
			return translate(ctx, err)
		}
	}
}

// attempt runs fn once. A conflict that a statement has met is returned whatever
// fn made of it: the transaction is broken then.
func (s *Store) attempt(
	ctx context.Context, c *session, pool *sqlx.DB, fn func(context.Context, ports.Tx) error,
) error {
	if pool == s.db.pool {
		slot, err := c.admit(ctx)
		defer slot.Release() // after the end of the transaction
		if err != nil {
			return err
		}
	}
	tx, err := pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return translate(ctx, err)
	}
	// After the end this does nothing; before it, it is an error or a panic that
	// leaves, and nothing to add to it.
	defer func() { _ = tx.Rollback() }()
	if pool != s.db.pool {
		if _, err := tx.ExecContext(ctx, averageSchool); err != nil {
			return translate(ctx, err)
		}
	}
	c.tx = &transaction{Tx: tx}
	err = fn(context.WithValue(ctx, inside{}, true), newTx(c))
	switch {
	case c.tx.lost != nil:
		return c.tx.lost
	case err != nil:
		return err
	}
	if err := tx.Commit(); err != nil {
		return translate(ctx, err)
	}
	s.db.herald.tell(c.tx.added...)
	c.prepareMissed(ctx)
	return nil
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
