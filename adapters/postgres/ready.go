package postgres

import (
	"context"
	"errors"

	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
)

// Ready returns an error if the store cannot serve requests: the database does not respond or is
// read-only, or its schema is not up to date (migrations.ErrPending).
func (s *Store) Ready(ctx context.Context) error {
	if err := s.db.Writable(ctx); err != nil {
		return notReady(err)
	}
	if s.migrated.Load() {
		return nil
	}
	// A newer schema still has everything that this program needs.
	if err := migrations.Check(ctx, s.db); err != nil && !errors.Is(err, migrations.ErrNewer) {
		return notReady(err)
	}
	s.migrated.Store(true)
	return nil
}

// notReady returns an outage with a cause for the log and a reason that clients may see.
func notReady(cause error) error {
	reason := "The database is unreachable"
	switch {
	case pgdb.IsReadOnly(cause):
		reason = "The database is read-only"
	case errors.Is(cause, migrations.ErrPending):
		reason = "The database schema is not up to date"
	}
	return &pgdb.OutageError{Fault: fault.Unavailablef("%s", reason), Cause: cause}
}
