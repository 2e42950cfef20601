package pgtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lib/pq"
)

// Exclusive returns the DSN of a database that no other test uses until the end of this test. Its
// schema is up to date, and it has no records. It costs far less than Migrated, because later tests
// use the database again, without the records of this test. So the test must not change the schema,
// and must close its connections.
func Exclusive(t testing.TB) string {
	t.Helper()
	s := start(t)
	dsn, err := s.acquire(context.Background())
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		// The state of a failed test could make other tests fail.
		if err := s.empty(context.Background(), dsn); t.Failed() || err != nil {
			if err := s.drop(context.Background(), dsn); err != nil {
				t.Errorf("pgtest: %v", err)
			}
			return
		}
		s.release(dsn)
	})
	return dsn
}

// acquire returns a released database, or a new one if there is none.
func (s *server) acquire(ctx context.Context) (string, error) {
	s.mu.Lock()
	if n := len(s.released); n > 0 {
		defer s.mu.Unlock()
		dsn := s.released[n-1]
		s.released = s.released[:n-1]
		return dsn, nil
	}
	s.mu.Unlock()
	dsn, err := s.copy(ctx)
	if err != nil {
		return "", err
	}
	s.first.Do(func() { s.emptying, s.emptyingErr = emptyingOf(ctx, dsn) })
	return dsn, s.emptyingErr
}

// release lets another test acquire a database.
func (s *server) release(dsn string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released = append(s.released, dsn)
}

// empty deletes all records from a copy of the model, and resets its sequences. It fails if the
// user of the server has no right to disable triggers.
func (s *server) empty(ctx context.Context, dsn string) error {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(ctx, s.emptying)
	return err
}

// emptyingOf returns the statements that delete all records from a copy of a database and set its
// sequences as in the database. Tables that have rows in the database itself keep their rows,
// because migrations inserted them.
func emptyingOf(ctx context.Context, dsn string) (string, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	var tables []string
	err = db.QueryRowContext(ctx, `SELECT array_agg(tablename::text) FROM pg_tables WHERE schemaname = 'public'`).Scan(pq.Array(&tables))
	if err != nil {
		return "", err
	}
	// A transaction that still uses the database lets the statements fail instead of waiting.
	lines := []string{"BEGIN", "SET LOCAL lock_timeout = '2s'", "SET LOCAL session_replication_role = replica"}
	for _, table := range tables {
		var filled bool
		quoted := pq.QuoteIdentifier(table)
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM `+quoted+`)`).Scan(&filled); err != nil {
			return "", err
		}
		if !filled {
			lines = append(lines, "DELETE FROM "+quoted)
		}
	}
	if len(lines) < 10 {
		return "", errors.New("the model has too few tables: " + fmt.Sprint(tables))
	}
	var sequences []string
	err = db.QueryRowContext(ctx, `SELECT array_agg(format('SELECT setval(%L, %s, %L)', sequencename,
		coalesce(last_value, start_value), last_value IS NOT NULL)) FROM pg_sequences WHERE schemaname = 'public'`).Scan(pq.Array(&sequences))
	if err != nil {
		return "", err
	}
	return strings.Join(append(append(lines, sequences...), "COMMIT"), ";\n"), nil
}
