package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/google/uuid"
)

// Pools returns pools of the connections for requests, for long transactions,
// and for exports and imports. They end with the test.
func Pools(t testing.TB, db *DB) []*sql.DB {
	t.Helper()
	pools := []*sql.DB{db.Pool.DB, sql.OpenDB(db.longs), sql.OpenDB(db.bulk)}
	t.Cleanup(func() { _ = errors.Join(pools[1].Close(), pools[2].Close()) })
	return pools
}

// ListenerDSN returns the DSN of the connection that listens.
func ListenerDSN(db *DB) string { return db.Listener.dsn }

// SpreadHosts is spreadHosts.
var SpreadHosts = spreadHosts

// Statements is the cache of prepared statements on its own.
type Statements struct{ s *Session }

// NewStatements returns an empty cache of at most limit texts.
func NewStatements(db *DB, limit int) Statements {
	c := db.Session(uuid.Nil)
	c.stmts = newStatements(db.Pool, limit)
	return Statements{c}
}

// Use runs text, which selects one number.
func (s Statements) Use(ctx context.Context, text string) error {
	var n int
	return s.s.GetRow(ctx, &n, text)
}

// Kept returns how many texts the cache knows.
func (s Statements) Kept() int { return s.s.stmts.recent.Len() }

// Prepared returns how many of them are prepared.
func (s Statements) Prepared() int {
	n := 0
	for e := s.s.stmts.recent.Front(); e != nil; e = e.Next() {
		if e.Value.(*held).prepared != nil {
			n++
		}
	}
	return n
}
