package postgres

import (
	"context"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/school"
)

// session is what the repositories and readers of one school share: its statements,
// and the store.
type session struct {
	*dbSession
	store *Store
}

func (s *Store) session(id school.ID) *session {
	return &session{dbSession: s.db.onPool(id.UUID), store: s}
}

// School implements listsql.Querier.
func (c *session) School() uuid.UUID { return c.school }

// Snapshot implements listsql.Querier.
func (c *session) Snapshot(ctx context.Context, do func(listsql.Querier) error) error {
	return c.consistent(ctx, func(c *session) error { return do(c) })
}

// consistent calls fn, which reads with several statements, with a session whose
// statements all see one state of the database.
func (c *session) consistent(ctx context.Context, fn func(c *session) error) error {
	return c.dbSession.snapshot(ctx, func(inner *dbSession) error { return fn(&session{dbSession: inner, store: c.store}) })
}
