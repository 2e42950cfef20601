package pgdb_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/kit/pgtest"
)

// A client that cancels requests must not make the server open connections to the database. A short
// statement therefore ends, and its connection stays open. A long statement is canceled.
func TestStatementIsCanceledLate(t *testing.T) {
	db := open(t, pgtest.DSN(t))
	for name, run := range map[string]func(ctx context.Context, c *sql.Conn, seconds float64) error{
		"exec": func(ctx context.Context, c *sql.Conn, seconds float64) error {
			tx, err := c.BeginTx(context.WithoutCancel(ctx), nil)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `SELECT pg_sleep($1)`, seconds)
			return errors.Join(err, tx.Rollback())
		},
		"query": func(ctx context.Context, c *sql.Conn, seconds float64) error {
			return read(c.QueryContext(ctx, `SELECT pg_sleep($1)`, seconds))
		},
		"rows": func(ctx context.Context, c *sql.Conn, seconds float64) error {
			// The first row is sent before the statement waits for the second.
			return read(c.QueryContext(ctx, `SELECT repeat('x', 10000), CASE WHEN i = 2 THEN pg_sleep($1) END FROM generate_series(1, 2) i`, seconds))
		},
	} {
		for _, tt := range []struct {
			name    string
			seconds float64
			keeps   bool
		}{{"a short statement", 0.2, true}, {"a long statement", 60, false}} {
			t.Run(name+", "+tt.name, func(t *testing.T) {
				is := is.New(t)
				conn, err := pgdb.Pools(t, db)[0].Conn(t.Context())
				is.NoErr(err)
				defer func() { _ = conn.Close() }()
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(20*time.Millisecond, cancel)
				begin := time.Now()
				_ = run(ctx, conn, tt.seconds) // database/sql may report the cancellation of a statement that has ended
				is.True(time.Since(begin) < 30*time.Second)
				is.Equal(conn.PingContext(t.Context()) == nil, tt.keeps)
			})
		}
	}
}

// read reads and closes rows.
func read(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
	}
	return rows.Err()
}

func TestDeadlineCancelsStatement(t *testing.T) {
	is := is.New(t)
	db := open(t, pgtest.DSN(t))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := pgdb.Pools(t, db)[0].ExecContext(ctx, `WITH s AS (SELECT pg_sleep(60)) SELECT FROM s`)
	is.True(err != nil)
	is.True(time.Since(begin) < 30*time.Second)
}
