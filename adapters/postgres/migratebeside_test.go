package postgres_test

import (
	"context"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/school"
	"lyceum/ports"
)

// withMigrations returns the migrations with further ones.
func withMigrations(t testing.TB, more map[string]string) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	present := postgres.Migrations()
	names, err := fs.Glob(present, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(present, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	for name, text := range more {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// A migration is applied next to the servers of the release before, however much
// they write: it succeeds, and no write fails.
func TestMigrateWhileOthersWrite(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	s := openStore(t, dsn)
	id := newSchool(t, s)
	files := withMigrations(t, map[string]string{
		"9001_column.sql": "-- +goose Up\nALTER TABLE people ADD COLUMN note text NOT NULL DEFAULT '';",
		"9002_index.sql": `-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS people_by_note;
CREATE INDEX CONCURRENTLY people_by_note ON people (school_id, note);`,
		"9003_default.sql":  "-- +goose Up\nALTER TABLE people ALTER COLUMN note DROP DEFAULT, ALTER COLUMN note DROP NOT NULL;",
		"9004_category.sql": "-- +goose Up\nALTER TABLE categories ADD COLUMN note text;",
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writers sync.WaitGroup
	written := make(chan struct{}, 1<<20)
	for range 10 {
		writers.Go(func() {
			for ctx.Err() == nil {
				if err := writeAll(context.WithoutCancel(ctx), s, id); err != nil {
					t.Error(err)
					return
				}
				written <- struct{}{}
			}
		})
	}
	for range 20 {
		<-written
	}
	var log lines
	if err := postgres.MigrateTo(t.Context(), openDB(t, dsn), files, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Error(err, log.String())
	}
	for range 20 {
		<-written
	}
	stop()
	writers.Wait()
	is.Equal(count(t, raw(t, dsn), `SELECT count(*) FROM goose_db_version WHERE version_id > 9000`), 4)
}

// writeAll writes to several tables, in several transactions.
func writeAll(ctx context.Context, s *postgres.Store, id school.ID) error {
	p, c, cat := newPerson(uuid.NewString()+"@example.test"), newCourse(uuid.NewString()), newCategory(uuid.NewString())
	for _, fn := range []func(context.Context, ports.Tx) error{
		func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, cat) },
		func(ctx context.Context, tx ports.Tx) error {
			if err := tx.People.Add(ctx, p); err != nil {
				return err
			}
			return tx.Courses.Add(ctx, c)
		},
		func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Categories.Find(ctx, cat.State().ID); err != nil {
				return err
			}
			if _, err := tx.People.Find(ctx, p.State().ID); err != nil {
				return err
			}
			if _, err := tx.Courses.Find(ctx, c.State().ID); err != nil {
				return err
			}
			return tx.Categories.Add(ctx, newCategory(uuid.NewString()))
		},
	} {
		if err := s.InTx(ctx, id, fn); err != nil {
			return err
		}
	}
	return nil
}

// A migration that cannot have its table gives way: what others do in the
// meantime is done, and the migration succeeds once the table is free.
func TestMigrateGivesWay(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	s := openStore(t, dsn)
	id := newSchool(t, s)
	files := withMigrations(t, map[string]string{"9001_column.sql": "-- +goose Up\nALTER TABLE categories ADD COLUMN note text;"})
	var log lines
	held := begin(t, raw(t, dsn))
	_, err := held.ExecContext(t.Context(), `SELECT count(*) FROM categories`)
	is.NoErr(err)
	done := make(chan error)
	db := openDB(t, dsn)
	go func() {
		done <- postgres.MigrateTo(t.Context(), db, files, slog.New(slog.NewTextHandler(&log, nil)))
	}()
	until(func() bool { return strings.Count(log.String(), "tried again") > 1 })
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, newCategory("Art")) })
	is.NoErr(held.Rollback())
	is.NoErr(<-done)

	held = begin(t, raw(t, dsn))
	_, err = held.ExecContext(t.Context(), `SELECT count(*) FROM categories`)
	is.NoErr(err)
	files = withMigrations(t, map[string]string{
		"9001_column.sql":  "-- +goose Up\nALTER TABLE categories ADD COLUMN note text;",
		"9002_another.sql": "-- +goose Up\nALTER TABLE categories DROP COLUMN note;",
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	is.True(postgres.MigrateTo(ctx, db, files, slog.New(slog.DiscardHandler)) != nil) // ends with its context
}

// lines is a log that may be read while it is written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
