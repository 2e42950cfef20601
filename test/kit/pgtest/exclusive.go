package pgtest

import (
	"context"
	"testing"
)

// Exclusive returns the DSN of a database whose schema is up to date and that no other test uses
// until the end of this test. Earlier tests may have left schools in it, but no jobs. It costs far
// less than Migrated, because the database is used again.
func Exclusive(t testing.TB) string {
	t.Helper()
	s := start(t)
	dsn, err := s.acquire(context.Background())
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			return // do not reuse the database: its state could make other tests fail
		}
		execute(t, dsn, "DELETE FROM jobs") // a worker handles the jobs of all schools
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
	return s.copy(ctx)
}

// release lets another test acquire a database.
func (s *server) release(dsn string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released = append(s.released, dsn)
}
