// Package pgtest provides PostgreSQL databases for tests and drops them afterwards.
//
// The databases are created on the server that LYCEUM_TEST_DATABASE_URL names, or else on a
// temporary server from the binaries of this machine. If there is neither, a test that needs a
// database fails; it is never skipped.
//
// A package that uses pgtest has
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
package pgtest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"

	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
)

// Variable is the environment variable that contains the URL or DSN of a server on which tests may
// create databases.
const Variable = "LYCEUM_TEST_DATABASE_URL"

// shared is the state that the tests of one binary share.
var shared struct {
	main   bool // whether Main runs and will clean up
	once   sync.Once
	server *server
	err    error

	migrated struct {
		once sync.Once
		dsn  string
		err  error
	}
}

// Main runs the tests of m, calls cleanup, drops all databases that the tests created, stops the
// server if pgtest started it, and exits.
func Main(m *testing.M, cleanup ...func() error) {
	shared.main = true
	code := m.Run()
	if shared.server != nil {
		cleanup = append(cleanup, shared.server.close)
	}
	for _, f := range cleanup {
		if err := f(); err != nil {
			fmt.Fprintln(os.Stderr, "pgtest: clean up:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// DSN returns the DSN of this test binary's database, whose schema is up to date. All tests share
// the database, so each must create its own schools.
func DSN(t testing.TB) string {
	t.Helper()
	s := start(t)
	m := &shared.migrated
	m.once.Do(func() { m.dsn, m.err = s.copy(context.Background()) })
	if m.err != nil {
		t.Fatalf("pgtest: %v", m.err)
	}
	return m.dsn
}

// Fresh returns the DSN of a new database without a schema. It is dropped at the end of the test.
func Fresh(t testing.TB) string {
	t.Helper()
	return own(t, (*server).create)
}

// Migrated returns the DSN of a new database whose schema is up to date. It is dropped at the end
// of the test.
func Migrated(t testing.TB) string {
	t.Helper()
	return own(t, (*server).copy)
}

// own returns the DSN of a new database that from creates. The database is dropped at the end of
// the test.
func own(t testing.TB, from func(*server, context.Context) (string, error)) string {
	t.Helper()
	s := start(t)
	dsn, err := from(s, context.Background())
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if err := s.drop(context.Background(), dsn); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return dsn
}

func start(t testing.TB) *server {
	t.Helper()
	if !shared.main {
		t.Fatal("pgtest: the package's tests have no TestMain that calls pgtest.Main")
	}
	shared.once.Do(func() { shared.server, shared.err = find(context.Background(), unsafeSettings...) })
	if shared.err != nil {
		t.Fatalf("pgtest: %v", missing(shared.err))
	}
	return shared.server
}

// missing returns the error of a server that cannot be found, with what to do.
func missing(err error) error {
	return fmt.Errorf("no PostgreSQL: %w; install it (Debian: apt-get install postgresql) or set %s", err, Variable)
}

// find returns the server that Variable names, or starts one with settings.
func find(ctx context.Context, settings ...string) (*server, error) {
	if dsn := os.Getenv(Variable); dsn != "" {
		return connect(ctx, dsn, nil)
	}
	bin, err := binaries(ctx)
	if err != nil {
		return nil, err
	}
	c, err := boot(ctx, bin, settings...)
	if err != nil {
		return nil, err
	}
	return connect(ctx, c.dsn, c)
}

func migrate(ctx context.Context, dsn string) error {
	db, err := pgdb.Open(ctx, pgdb.Config{DSN: dsn, MaxConns: 2})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	return migrations.Apply(ctx, db, slog.New(slog.DiscardHandler))
}
