package pgtest_test

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestDSN(t *testing.T) {
	t.Run("is one migrated database for all tests", func(t *testing.T) {
		is := is.New(t)
		is.Equal(pgtest.DSN(t), pgtest.DSN(t))
		is.True(has(t, pgtest.DSN(t), "people"))
	})
	t.Run("does not collate by bytes by default", func(t *testing.T) {
		is := is.New(t)
		var before bool
		err := open(t, pgtest.DSN(t)).QueryRowContext(t.Context(), `SELECT 'a' < 'B'`).Scan(&before)
		is.NoErr(err)
		is.True(before) // the collation of the database differs from a comparison of bytes
	})
}

func TestFresh(t *testing.T) {
	var first string
	t.Run("is an empty database", func(t *testing.T) {
		is := is.New(t)
		first = pgtest.Fresh(t)
		is.True(!has(t, first, "people"))
		is.True(pgtest.Fresh(t) != first)
	})
	t.Run("is gone after the test", func(t *testing.T) {
		is := is.New(t)
		is.True(open(t, first).PingContext(t.Context()) != nil)
	})
}

func TestExclusive(t *testing.T) {
	var first, second string
	rows := func(t *testing.T, from string) (n int) {
		t.Helper()
		is.New(t).NoErr(open(t, first).QueryRowContext(t.Context(), `SELECT count(*) FROM `+from).Scan(&n))
		return n
	}
	position := func(t *testing.T) (n int) {
		t.Helper()
		is.New(t).NoErr(open(t, first).QueryRowContext(t.Context(), `SELECT pg_sequence_last_value('change_positions')`).Scan(&n))
		return n
	}
	t.Run("is a migrated database of one test", func(t *testing.T) {
		is := is.New(t)
		first, second = pgtest.Exclusive(t), pgtest.Exclusive(t)
		is.True(first != second)
		is.True(has(t, first, "people"))
		is.Equal(position(t), 1) // a migration took this value
		_, err := open(t, first).ExecContext(t.Context(), `
			WITH s AS (
				INSERT INTO schools (id, name, name_fold, auth, created_at, updated_at)
				VALUES (gen_random_uuid(), 's', 's', 'open', now(), now()) RETURNING id
			)
			INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
			SELECT id, gen_random_uuid(), 'letter', '', 'waiting', 0, now(), '', now(), now() FROM s;
			SELECT nextval('change_positions')`)
		is.NoErr(err)
		is.Equal([]int{rows(t, "schools"), rows(t, "jobs")}, []int{1, 1})
		is.True(position(t) > 1)
	})
	t.Run("is used again, without its records", func(t *testing.T) {
		is := is.New(t)
		again := []string{pgtest.Exclusive(t), pgtest.Exclusive(t)}
		is.True(slices.Contains(again, first) && slices.Contains(again, second))
		is.Equal([]int{rows(t, "schools"), rows(t, "jobs"), position(t)}, []int{0, 0, 1})
		is.Equal(rows(t, "change_epoch"), 1) // a migration inserted this row
	})
}

func has(t *testing.T, dsn, table string) bool {
	t.Helper()
	var found bool
	err := open(t, dsn).QueryRowContext(t.Context(), `SELECT to_regclass($1) IS NOT NULL`, table).Scan(&found)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
