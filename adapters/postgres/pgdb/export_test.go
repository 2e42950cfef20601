package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/google/uuid"
)

// Pools returns pools of the connections for requests, for long transactions, and for exports and
// imports. They are closed at the end of the test.
func Pools(t testing.TB, db *DB) []*sql.DB {
	t.Helper()
	pools := []*sql.DB{db.pool.DB, sql.OpenDB(db.longs), sql.OpenDB(db.bulk)}
	t.Cleanup(func() { _ = errors.Join(pools[1].Close(), pools[2].Close()) })
	return pools
}

// ListenerDSN returns the DSN of the listener's connection.
func ListenerDSN(db *DB) string { return db.listener.dsn }

// SpreadHosts exports spreadHosts to the tests.
var SpreadHosts = spreadHosts

// Statements is a cache of prepared statements.
type Statements struct{ s *Session }

// NewStatements returns an empty cache of at most limit texts.
func NewStatements(db *DB, limit int) Statements {
	c := db.Session(uuid.Nil)
	c.stmts = newStatements(db.pool, limit)
	return Statements{c}
}

// Use runs text, which selects one number.
func (s Statements) Use(ctx context.Context, text string) error {
	var n int
	return s.s.GetRow(ctx, &n, text)
}

// Kept returns the number of texts in the cache.
func (s Statements) Kept() int { return s.s.stmts.recent.Len() }

// Prepared returns the number of prepared texts.
func (s Statements) Prepared() int {
	n := 0
	for e := s.s.stmts.recent.Front(); e != nil; e = e.Next() {
		if e.Value.(*cachedStmt).prepared != nil {
			n++
		}
	}
	return n
}
