package postgres

import (
	"context"
	"errors"

	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
)

// Ready says why the store cannot serve now: the database does not answer or is
// read-only, or its schema waits for Migrate (ErrPending).
func (s *Store) Ready(ctx context.Context) error {
	if err := s.db.Writable(ctx); err != nil {
		return notReady(err)
	}
	if s.migrated.Load() {
		return nil
	}
	// A schema that becomes newer while this program runs has what it needs still.
	if err := CheckSchema(ctx, s.db); err != nil && !errors.Is(err, ErrNewer) {
		return notReady(err)
	}
	s.migrated.Store(true)
	return nil
}

// notReady returns cause with a reason that may be shown to everybody.
func notReady(cause error) error {
	reason := "The database does not answer"
	switch {
	case pgdb.IsReadOnly(cause):
		reason = "The database is read-only"
	case errors.Is(cause, ErrPending):
		reason = "The database's schema is not up to date"
	}
	return &pgdb.OutageError{Fault: fault.Busyf("%s", reason), Cause: cause}
}
