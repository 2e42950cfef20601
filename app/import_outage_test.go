package app_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/pgtest"
)

// An import whose connection ends after its last record deletes the files that it has stored.
func TestImportDeletesFilesAfterOutageBeforeCommit(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Exclusive(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, MaxConns: 4})
	is.NoErr(err)
	t.Cleanup(func() { _ = db.Close() })
	c := newClassroomOn(t, postgres.New(db))
	other, err := sql.Open("postgres", dsn)
	is.NoErr(err)
	t.Cleanup(func() { _ = other.Close() })
	store := intercept.Store(c.store, func(ctx context.Context, call string) error {
		if call != "Commit" {
			return nil
		}
		_, err := other.ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND state = 'idle in transaction'`)
		return err
	})
	a := app.New(store, c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
	_, err = a.Transfers.Import(c.ctx, c.actor, kit.Reading(withSubmission))
	is.True(fault.Is(err, fault.Unavailable))
	is.Equal(len(c.files.removed), 1)
	_, kept := c.files.holds(t, c.files.removed[0])
	is.True(!kept)
}

// lostResponse is a store whose loads are saved, but whose responses to commits are lost.
type lostResponse struct{ ports.Store }

func (s lostResponse) Load(ctx context.Context, id school.ID, fn func(context.Context, ports.LoadTx) error) error {
	if err := s.Store.Load(ctx, id, fn); err != nil {
		return err
	}
	return fault.Unavailablef("The response to the commit was lost")
}

// An import keeps its files if it is unknown whether its records were saved.
func TestImportKeepsFilesIfCommitIsUnknown(t *testing.T) {
	is, c := is.New(t), newClassroomOn(t, memory.New())
	a := app.New(lostResponse{c.store}, c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
	_, err := a.Transfers.Import(c.ctx, c.actor, kit.Reading(withSubmission))
	is.True(fault.Is(err, fault.Unavailable))
	saved, err := c.store.Read(c.school).Submissions.List(c.ctx, query.Query{Page: query.AllRows()})
	is.NoErr(err)
	_, kept := c.files.holds(t, usecase.FileOf(c.school, saved.Items[0].ID))
	is.True(kept)
}
