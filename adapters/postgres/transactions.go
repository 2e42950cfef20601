package postgres

import (
	"context"

	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/school"
	"lyceum/ports"
)

// InTx runs fn in a READ COMMITTED transaction, again when the database had to
// break it off for another's sake (serialization failure, deadlock, a lost race
// for a unique value), at most ports.MaxTries times.
func (s *Store) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	if err := s.outside(ctx, id); err != nil {
		return err
	}
	return s.db.InTx(ctx, id.UUID, s.repositories(fn))
}

// InLongTx is InTx on a connection of its own, for which the limits in time of the
// pool do not hold.
func (s *Store) InLongTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if err := s.outside(ctx, id); err != nil {
		return err
	}
	return s.db.InLongTx(ctx, id.UUID, s.repositories(fn))
}

// outside returns an error within a transaction, and a NotFound fault if there is
// no such school.
func (s *Store) outside(ctx context.Context, id school.ID) error {
	if err := pgdb.NotInside(ctx); err != nil {
		return err
	}
	return s.checkSchool(ctx, id)
}

// repositories returns fn for a transaction of the database.
func (s *Store) repositories(fn func(ctx context.Context, tx ports.Tx) error) func(context.Context, *pgdb.Session) error {
	return func(ctx context.Context, c *pgdb.Session) error {
		return fn(ctx, newTx(&session{Session: c, store: s}))
	}
}
