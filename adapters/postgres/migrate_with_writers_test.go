package postgres_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// withMigrations returns the migrations of the program and the migrations in more, whose keys are
// file names.
func withMigrations(t testing.TB, more map[string]string) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	present := migrations.Files()
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

// A migration after the baseline is applied while two servers of the previous release write records
// of every kind. The migration succeeds, no write fails, and nothing deadlocks.
func TestMigrateWhileServersWrite(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	servers := []*postgres.Store{openStore(t, dsn), openStore(t, dsn)}
	id := newSchool(t, servers[0])
	files := withMigrations(t, map[string]string{
		"9001_column.sql": "-- +goose Up\nALTER TABLE people ADD COLUMN note text NOT NULL DEFAULT '';",
		"9002_index.sql": `-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS people_by_note;
CREATE INDEX CONCURRENTLY people_by_note ON people (school_id, note);`,
		"9003_default.sql":    "-- +goose Up\nALTER TABLE people ALTER COLUMN note DROP DEFAULT, ALTER COLUMN note DROP NOT NULL;",
		"9004_category.sql":   "-- +goose Up\nALTER TABLE categories ADD COLUMN note text;",
		"9005_enrollment.sql": "-- +goose Up\nALTER TABLE enrollments ADD COLUMN note text;",
	})
	kinds := everyWrite(t, servers[0], id)
	is.Equal(len(kinds), 10)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writers sync.WaitGroup
	written := make([]atomic.Int64, len(kinds))
	for i, write := range kinds {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if err := servers[n%len(servers)].InTx(context.WithoutCancel(ctx), id, write); err != nil {
					t.Errorf("writer %d: %v", i, err)
					stop()
					return
				}
				written[i].Add(1)
			}
		})
	}
	// eachWrites waits until every writer has written on both servers.
	eachWrites := func() {
		var before []int64
		for i := range written {
			before = append(before, written[i].Load())
		}
		until(func() bool {
			for i := range written {
				if written[i].Load() < before[i]+2 && ctx.Err() == nil {
					return false
				}
			}
			return true
		})
	}
	eachWrites()
	var log lines
	if err := migrations.ApplyFiles(t.Context(), openDB(t, dsn), files, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Error(err, log.String())
	}
	eachWrites()
	stop()
	writers.Wait()
	db := raw(t, dsn)
	is.Equal(count(t, db, `SELECT count(*) FROM goose_db_version WHERE version_id > 9000`), 5)
	is.True(!strings.Contains(log.String(), "deadlock"))
	is.Equal(count(t, db, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`), 0)
}

// everyWrite returns transactions that write records of every kind and can be repeated.
func everyWrite(t *testing.T, s *postgres.Store, id school.ID) []func(context.Context, ports.Tx) error {
	t.Helper()
	people, courses := class(t, s, id, 8, 3)
	g, enrolled := newGroup("Spring"), learner(people[0], courses[0])
	a := attempt.Begin(attempt.ID{UUID: uuid.New()}, enrolled, nil, now)
	read := activity.Restore(activity.State{
		ID: activity.ID{UUID: uuid.New()}, Course: courses[0], Slot: activity.Slot{Key: "read", Position: 1},
		Title: "Read", Content: activity.TextContent(), CreatedAt: now, UpdatedAt: now,
	})
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{enrolled})
		err = errors.Join(err, tx.Groups.Add(ctx, g), tx.Attempts.Add(ctx, a))
		_, errSave := tx.Structures.Save(ctx, structure.Revision{Added: []activity.Activity{read}})
		return errors.Join(err, errSave)
	})
	next := func(list []person.ID) person.ID { return list[rand.IntN(len(list))] }
	return []func(context.Context, ports.Tx) error{
		func(ctx context.Context, tx ports.Tx) error {
			return tx.Categories.Add(ctx, newCategory(uuid.NewString()))
		},
		func(ctx context.Context, tx ports.Tx) error {
			return tx.People.Add(ctx, newPerson(uuid.NewString()+"@example.test"))
		},
		func(ctx context.Context, tx ports.Tx) error { return tx.Courses.Add(ctx, newCourse(uuid.NewString())) },
		func(ctx context.Context, tx ports.Tx) error { return tx.Groups.Add(ctx, newGroup(uuid.NewString())) },
		func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{
				learner(next(people[1:]), courses[1]), learner(next(people[1:]), courses[2]),
			})
			return err
		},
		func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Enrollments.RemoveFromCourses(ctx, next(people[1:]), enrollment.Learner, courses[1:])
			return err
		},
		func(ctx context.Context, tx ports.Tx) error {
			m := member(next(people), g.State().ID)
			n, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{m})
			if err == nil && n == 0 {
				_, err = tx.Memberships.RemovePeople(ctx, g.State().ID, m.Role, []person.ID{m.Person})
			}
			return err
		},
		func(ctx context.Context, tx ports.Tx) error {
			p := newPerson(uuid.NewString() + "@example.test")
			if err := tx.People.Add(ctx, p); err != nil {
				return err
			}
			_, err := tx.Partnerships.AddIfAbsent(ctx, person.Partnership{
				ID: person.PartnershipID{UUID: uuid.New()}, Person: p.State().ID, Role: person.Manager, CreatedAt: now,
			})
			return err
		},
		func(ctx context.Context, tx ports.Tx) error {
			pair := []enrollment.PersonCourse{enrolled.PersonCourse()}
			if _, err := tx.Enrollments.GetManyForUpdate(ctx, pair, enrolled.Role); err != nil {
				return err
			}
			return tx.Attempts.Save(ctx, a)
		},
		func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Events.Append(ctx, []event.Event{event.NewView(people[0], read.State().ID)}, now)
			return err
		},
	}
}

// A migration that cannot lock its table does not block other transactions. It succeeds when they
// have released the table.
func TestMigrateYieldsToWriters(t *testing.T) {
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
		done <- migrations.ApplyFiles(t.Context(), db, files, slog.New(slog.NewTextHandler(&log, nil)))
	}()
	until(func() bool { return strings.Count(log.String(), "retrying migration") > 1 })
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
	is.True(migrations.ApplyFiles(ctx, db, files, slog.New(slog.DiscardHandler)) != nil) // the retries end with the context
}

// lines is a log that can be read while it is written.
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
