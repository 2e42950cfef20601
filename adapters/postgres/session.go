package postgres

import (
	"context"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/school"
)

// A session runs the statements of the repositories and readers of one school.
type session struct {
	*pgdb.Session
	store *Store
}

func (s *Store) session(id school.ID) *session {
	return &session{Session: s.db.Session(id.UUID), store: s}
}

// School implements listsql.Querier.
func (c *session) School() uuid.UUID { return c.SchoolID }

// Snapshot implements listsql.Querier.
func (c *session) Snapshot(ctx context.Context, do func(listsql.Querier) error) error {
	return c.consistent(ctx, func(c *session) error { return do(c) })
}

// consistent calls fn with a session whose statements all see one state of the database.
func (c *session) consistent(ctx context.Context, fn func(c *session) error) error {
	return c.Session.ReadSnapshot(ctx, func(inner *pgdb.Session) error { return fn(&session{Session: inner, store: c.store}) })
}
