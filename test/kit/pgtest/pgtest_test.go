package pgtest_test

import (
	"database/sql"
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
	t.Run("is not in the order of bytes by itself", func(t *testing.T) {
		is := is.New(t)
		var before bool
		err := open(t, pgtest.DSN(t)).QueryRowContext(t.Context(), `SELECT 'a' < 'B'`).Scan(&before)
		is.NoErr(err)
		is.True(before) // tests therefore detect statements that depend on the collation
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
