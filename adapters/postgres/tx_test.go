package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// failing returns statements that make the first n insertions of a category fail with the given
// SQLSTATE. A sequence counts the insertions, because it is not rolled back.
func failing(n int, sqlstate string) []string {
	return []string{
		`CREATE SEQUENCE insertions`,
		fmt.Sprintf(`CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('insertions') <= %d THEN RAISE EXCEPTION 'injected' USING ERRCODE = '%s'; END IF;
			RETURN NEW; END $$`, n, sqlstate),
		`CREATE TRIGGER fail_first BEFORE INSERT ON categories FOR EACH ROW EXECUTE FUNCTION fail_first()`,
	}
}

func TestTxIsRetried(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failures int
		sqlstate string
		runs     int
		ok       bool
		outage   bool // whether the error is an outage
	}{
		{"after a serialization failure", 1, "40001", 2, true, false},
		{"after deadlocks, up to five times in all", 4, "40P01", 5, true, false},
		{"but not more often", 5, "40001", 5, false, true},
		{"nor after deadlocks", 5, "40P01", 5, false, true},
		{"not after a lock timeout of the database", 1, "55P03", 1, false, true},
		{"and not after another error", 1, "P0001", 1, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			execute(t, db, failing(tt.failures, tt.sqlstate)...)
			runs := 0
			err := s.InTx(t.Context(), newSchool(t, s), func(ctx context.Context, tx ports.Tx) error {
				runs++
				return tx.Categories.Add(ctx, newCategory("Art"))
			})
			is.Equal(runs, tt.runs)
			is.Equal(err == nil, tt.ok)
			is.Equal(fault.Is(err, fault.Unavailable), tt.outage)
			is.Equal(fault.All(err) == nil, !tt.outage) // other errors are not shown to clients
			is.Equal(count(t, db, `SELECT count(*) FROM categories`) == 1, tt.ok)
		})
	}

	t.Run("even if the function hides the error", func(t *testing.T) {
		is := is.New(t)
		s, db := freshStore(t)
		execute(t, db, failing(1, "40001")...)
		runs := 0
		err := s.InTx(t.Context(), newSchool(t, s), func(ctx context.Context, tx ports.Tx) error {
			runs++
			if err := tx.Categories.Add(ctx, newCategory("Art")); err != nil {
				return errors.New("something else")
			}
			return nil
		})
		is.NoErr(err)
		is.Equal(runs, 2)
	})
}

// failingCommit contains statements that make the commit of every transaction with a new category
// fail.
var failingCommit = []string{
	`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		RAISE EXCEPTION 'not at all'; END $$`,
	`CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON categories DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION fail()`,
}

func TestFailedCommitIsError(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	execute(t, db, failingCommit...)
	err := s.InTx(t.Context(), newSchool(t, s), func(ctx context.Context, tx ports.Tx) error {
		return tx.Categories.Add(ctx, newCategory("Art"))
	})
	is.True(err != nil)
	is.Equal(count(t, db, `SELECT count(*) FROM categories`), 0)
}

func TestHiddenFailureDoesNotCommit(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	execute(t, db, failing(1, "P0001")...)
	err := s.InTx(t.Context(), newSchool(t, s), func(ctx context.Context, tx ports.Tx) error {
		if err := tx.People.Add(ctx, newPerson("ada@example.test")); err != nil {
			return err
		}
		_ = tx.Categories.Add(ctx, newCategory("Art"))
		return nil
	})
	is.True(err != nil)
	is.Equal(count(t, db, `SELECT count(*) FROM people`), 0)
}

func TestPanicRollsBack(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.DSN(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, MaxConns: 1})
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	s := postgres.New(db)
	id := newSchool(t, s)

	cat := newCategory("Art")
	func() {
		defer func() { is.Equal(recover(), "oh") }()
		_ = s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(tx.Categories.Add(ctx, cat))
			panic("oh")
		})
	}()
	_, err = s.Read(id).Categories.Get(t.Context(), cat.State().ID) // blocks if the only connection was not returned to the pool
	is.True(fault.Is(err, fault.NotFound))
}

func TestNestedTxIsRejected(t *testing.T) {
	is := is.New(t)
	s := openStore(t, pgtest.DSN(t))
	id := newSchool(t, s)
	ran := false
	err := s.InTx(t.Context(), id, func(ctx context.Context, _ ports.Tx) error {
		return s.InTx(ctx, id, func(context.Context, ports.Tx) error { ran = true; return nil })
	})
	is.True(err != nil)
	is.True(!ran)
	is.Equal(fault.All(err), nil) // a defect, not the client's fault
}

// Preparing a statement needs a connection, and a transaction must not wait for a second
// connection.
func TestTxNeedsOneConnection(t *testing.T) {
	is := is.New(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.DSN(t), MaxConns: 1})
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	s := postgres.New(db)
	id := newSchool(t, s)
	for i := range 5 {
		within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Categories.Add(ctx, newCategory(fmt.Sprint("Art ", i)))
		})
	}
}

func TestRaceForName(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	mine := newCategory("Mine")
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, mine) })

	// Another transaction has taken the name but has not committed yet. Save finds that the name is
	// free, and then waits when it writes the row.
	rival, holder := begin(t, db), uuid.New()
	_, err := rival.ExecContext(t.Context(), `INSERT INTO categories
		(school_id, id, name, name_key, name_fold, created_at, updated_at)
		VALUES ($1, $2, 'Wanted', 'wanted', 'wanted', now(), now())`, id.UUID, holder)
	is.NoErr(err)
	runs, done := 0, make(chan error)
	go func() {
		done <- s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			runs++
			cat, err := tx.Categories.GetForUpdate(ctx, mine.State().ID)
			if err == nil {
				err = cat.Rename("Wanted", now)
			}
			if err == nil {
				err = tx.Categories.Save(ctx, cat)
			}
			return err
		})
	}()
	untilBlocked(t, db)
	is.NoErr(rival.Commit())

	faults := fault.All(<-done)
	is.Equal(runs, 2) // the second run finds that the name is taken
	is.Equal(len(faults), 1)
	is.Equal(faults[0].Field, "name")
	is.Equal(faults[0].Holder.ID, holder)
}

func TestRaceAgainstDeletion(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	cat, c := newCategory("Art"), newCourse("drawing")
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(tx.Categories.Add(ctx, cat), tx.Courses.Add(ctx, c))
	})

	// A course is added to the category while the category is deleted.
	rival := begin(t, db)
	_, err := rival.ExecContext(t.Context(), `INSERT INTO course_categories (school_id, course_id, category_id)
		VALUES ($1, $2, $3)`, id.UUID, c.State().ID.UUID, cat.State().ID.UUID)
	is.NoErr(err)
	done := make(chan error)
	go func() {
		done <- s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachCategory(ctx, cat.State().ID); err != nil {
				return err
			}
			return tx.Categories.Delete(ctx, cat.State().ID)
		})
	}()
	untilBlocked(t, db)
	is.NoErr(rival.Commit())
	is.NoErr(<-done) // the second run detaches that course too
	is.Equal(count(t, db, `SELECT count(*) FROM course_categories`), 0)
}

func begin(t *testing.T, db *sql.DB) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// untilBlocked waits until a connection to the database waits for a lock.
func untilBlocked(t *testing.T, db *sql.DB) {
	t.Helper()
	until(func() bool {
		return count(t, db, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
}

func TestLostConnectionIsUnavailable(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.GetForUpdate(ctx); err != nil {
			return err
		}
		execute(t, db, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		_, err := tx.School.Get(ctx)
		return err
	})
	is.True(fault.Is(err, fault.Unavailable))
	until(func() bool { // the pool recovers when it has detected its dead connections
		return s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.School.GetForUpdate(ctx)
			return err
		}) == nil
	})
}
