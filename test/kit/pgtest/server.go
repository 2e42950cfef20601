package pgtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/lib/pq"
)

// server is a running PostgreSQL on which databases may be created.
type server struct {
	params  pq.Config
	admin   *sql.DB
	cluster *cluster // nil if this binary did not start the server

	mu       sync.Mutex
	names    map[string]string // DSN and name of each database that was created and not yet dropped
	released []string          // DSNs of the databases that Exclusive may return

	model       sync.Once // creates the database that copy copies, unless it exists
	modelName   string
	modelErr    error
	emptying    string // deletes the records of a copy
	emptyingErr error
	first       sync.Once // sets emptying
}

func connect(ctx context.Context, dsn string, c *cluster) (*server, error) {
	s := &server{cluster: c, names: map[string]string{}}
	err := s.open(ctx, dsn)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *server) open(ctx context.Context, dsn string) (err error) {
	if s.params, err = pq.NewConfig(dsn); err != nil {
		return fmt.Errorf("%s is not well-formed: %w", Variable, err)
	}
	conn, err := pq.NewConnectorConfig(s.params)
	if err != nil {
		return err
	}
	s.admin = sql.OpenDB(conn)
	if err := s.admin.PingContext(ctx); err != nil {
		return fmt.Errorf("reach the server: %w", err)
	}
	return nil
}

// create creates an empty database and returns its DSN. The database uses an English collation, so
// that tests detect statements that depend on the collation. A server without ICU uses its default
// collation.
func (s *server) create(ctx context.Context) (string, error) { return s.createNamed(ctx, newName()) }

func (s *server) createNamed(ctx context.Context, name string) (string, error) {
	quoted := pq.QuoteIdentifier(name)
	_, err := s.admin.ExecContext(ctx, "CREATE DATABASE "+quoted+
		" TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
	if pq.As(err) != nil {
		_, err = s.admin.ExecContext(ctx, "CREATE DATABASE "+quoted)
	}
	if err != nil {
		return "", fmt.Errorf("create a database: %w", err)
	}
	return s.made(name), nil
}

func newName() string { return "lyceum_test_" + strings.ToLower(rand.Text()[:16]) }

// createModel creates a database whose schema is up to date.
func (s *server) createModel(ctx context.Context, name string) error {
	dsn, err := s.createNamed(ctx, name)
	if err != nil {
		return err
	}
	return migrate(ctx, dsn)
}

// made records a new database and returns its DSN.
func (s *server) made(name string) string {
	dsn := s.dsn(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[dsn] = name
	return dsn
}

// copy creates a copy of a migrated database, which is faster than a migration. No client may be
// connected to the migrated database at that time.
func (s *server) copy(ctx context.Context) (string, error) {
	s.model.Do(func() {
		if s.modelName = os.Getenv(modelVariable); s.modelName != "" {
			return
		}
		s.modelName = newName()
		s.modelErr = s.createModel(ctx, s.modelName)
	})
	if s.modelErr != nil {
		return "", s.modelErr
	}
	name := newName()
	if _, err := s.admin.ExecContext(ctx, "CREATE DATABASE "+pq.QuoteIdentifier(name)+" TEMPLATE "+pq.QuoteIdentifier(s.modelName)); err != nil {
		return "", fmt.Errorf("copy a database: %w", err)
	}
	return s.made(name), nil
}

// drop drops the database of dsn, even if clients are connected.
func (s *server) drop(ctx context.Context, dsn string) error {
	s.mu.Lock()
	name := s.names[dsn]
	delete(s.names, dsn)
	s.mu.Unlock()
	if _, err := s.admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+pq.QuoteIdentifier(name)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop the database %s: %w", name, err)
	}
	return nil
}

// close drops the created databases and stops the server if this binary started it.
func (s *server) close() error {
	if s.cluster != nil {
		if s.admin != nil {
			_ = s.admin.Close()
		}
		return s.cluster.stop()
	}
	var errs []error
	for dsn := range s.names {
		errs = append(errs, s.drop(context.Background(), dsn))
	}
	if s.admin != nil {
		errs = append(errs, s.admin.Close())
	}
	return errors.Join(errs...)
}
