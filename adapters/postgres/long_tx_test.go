package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// The statement timeout does not apply to long transactions, but the end of the context does.
func TestLongTxHasNoStatementTimeout(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	s, db := openStore(t, dsn), raw(t, dsn)
	id := newSchool(t, s)
	limited, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, StatementTimeout: 200 * time.Millisecond})
	is.NoErr(err)
	t.Cleanup(func() { _ = limited.Close() })
	execute(t, db, `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.6); RETURN NULL; END'`,
		`CREATE TRIGGER dawdling BEFORE DELETE ON enrollments FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`)
	slow := postgres.New(limited)
	empty := func(ctx context.Context, tx ports.Tx) error { return tx.Enrollments.DeleteByPerson(ctx, person.ID{}) }
	is.True(fault.Is(slow.InTx(t.Context(), id, empty), fault.Unavailable))
	is.NoErr(slow.InLongTx(t.Context(), id, empty))

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	is.True(slow.InLongTx(ctx, id, empty) != nil)
	is.NoErr(slow.InLongTx(t.Context(), id, func(ctx context.Context, _ ports.Tx) error {
		is.True(slow.InLongTx(ctx, id, empty) != nil) // a long transaction inside another long transaction
		return nil
	}))
}

// If all connections for long transactions are in use, another long transaction waits. It returns
// an error if its context ends in the meantime, and starts when a running transaction has ended.
func TestConcurrentLongTxAreLimited(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	id := newSchool(t, s)
	started, over, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	const most = 4
	for range most {
		go func() {
			ended <- s.InLongTx(t.Context(), id, func(context.Context, ports.Tx) error {
				started <- struct{}{}
				<-over
				return nil
			})
		}()
	}
	for range most {
		<-started
	}
	nothing := func(context.Context, ports.Tx) error { return nil }
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	is.True(s.InLongTx(ctx, id, nothing) != nil)
	close(over)
	for range most {
		is.NoErr(<-ended)
	}
	is.NoErr(s.InLongTx(t.Context(), id, nothing))
}

// Deleting a course with three times as many learners takes three times as much work, even if the
// planner assumes that the school is empty.
func TestCourseDeletionIsNotQuadratic(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	newSchool(t, s)
	execute(t, db, "ANALYZE")
	undone := errors.New("undone")
	reads := func(learners int) (rows int64) {
		id := newGenerated(t, s, demo.Size{
			People: learners + learners/4, Courses: 1, Enrollments: learners, Answers: learners, Events: learners, Seed: 1,
		})
		found, err := s.Read(id).Courses.List(t.Context(), query.Query{Page: query.AllRows()})
		is.NoErr(err)
		err = s.InLongTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			empty(ctx, is, tx, found.Items[0].ID)
			rows, err = postgres.Read(ctx, tx)
			is.NoErr(err)
			return undone
		})
		is.Equal(err, undone)
		return rows
	}
	few, many := reads(400), reads(1200)
	is.True(few > 4*400)
	if many > 4*few {
		t.Errorf("%d rows are read for 400 learners, %d for 1200", few, many)
	}
}

// empty deletes a course with all its records.
func empty(ctx context.Context, is *is.I, tx ports.Tx, id course.ID) {
	is.NoErr(tx.Courses.BeginRemoval(ctx, id, time.Now()))
	for {
		removed, err := tx.Courses.ContinueRemoval(ctx, id, 250)
		is.NoErr(err)
		if removed.Done {
			return
		}
	}
}

// A request does not wait for a lock as long as a statement may run.
func TestRequestsWaitShortlyForLocks(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	id := newSchool(t, s)
	find := func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.School.GetForUpdate(ctx)
		return err
	}
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		is.NoErr(find(ctx, tx))
		began := time.Now()
		err := s.InTx(t.Context(), id, find)
		is.True(errors.Is(err, ports.ErrLockTimeout))
		is.True(time.Since(began) < 10*time.Second) // the time limit of a statement is 15 seconds
		return nil
	})
}
