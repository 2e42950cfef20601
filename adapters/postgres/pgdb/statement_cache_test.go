package pgdb_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/kit/pgtest"
)

func TestStatementIsPreparedAtSecondUse(t *testing.T) {
	is := is.New(t)
	c := pgdb.NewStatements(open(t, pgtest.DSN(t)), 10)
	is.NoErr(c.Use(t.Context(), `SELECT 1`))
	is.Equal(c.Prepared(), 0)
	is.NoErr(c.Use(t.Context(), `SELECT 1`))
	is.Equal(c.Prepared(), 1)
	is.NoErr(c.Use(t.Context(), `SELECT 1`))
	is.Equal(c.Prepared(), 1)
}

func TestStatementsAreBounded(t *testing.T) {
	is := is.New(t)
	c := pgdb.NewStatements(open(t, pgtest.DSN(t)), 3)
	for i := range 10 {
		is.NoErr(c.Use(t.Context(), fmt.Sprint(`SELECT `, i)))
		is.NoErr(c.Use(t.Context(), fmt.Sprint(`SELECT `, i)))
	}
	is.Equal(c.Kept(), 3)
	is.Equal(c.Prepared(), 3)
}

// The database needs memory for each prepared statement, in proportion to its text, on every
// connection.
func TestTextsOfStatementsAreBounded(t *testing.T) {
	is := is.New(t)
	c := pgdb.NewStatements(open(t, pgtest.DSN(t)), 500)
	use := func(text string) {
		t.Helper()
		is.NoErr(c.Use(t.Context(), text))
		is.NoErr(c.Use(t.Context(), text))
	}
	use(`SELECT 1` + strings.Repeat(" ", 5<<10))
	is.Equal(c.Kept(), 0) // too long
	for i := range 150 {
		use(fmt.Sprint(`SELECT `, i, strings.Repeat(" ", 4_000)))
	}
	is.Equal(c.Kept(), (512<<10)/4_010)
	is.Equal(c.Prepared(), c.Kept())
}

func TestBadStatementIsNotCached(t *testing.T) {
	is := is.New(t)
	c := pgdb.NewStatements(open(t, pgtest.DSN(t)), 3)
	for range 3 {
		is.True(c.Use(t.Context(), `SELECT nothing FROM nowhere`) != nil)
	}
	is.Equal(c.Prepared(), 0)
}

// Even if more texts are used concurrently than the cache holds, no statement may be closed while
// it is in use.
func TestStatementsUnderContention(t *testing.T) {
	is := is.New(t)
	c := pgdb.NewStatements(open(t, pgtest.DSN(t)), 2)
	var all sync.WaitGroup
	errs := make(chan error, 8)
	for w := range 8 {
		all.Go(func() {
			for i := range 100 {
				if err := c.Use(t.Context(), fmt.Sprint(`SELECT `, (w+i)%5)); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		is.NoErr(err)
	}
	is.Equal(c.Kept(), 2)
}
