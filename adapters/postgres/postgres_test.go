package postgres_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) {
	// By default, the property tests run few checks, so that they are fast enough for daily use.
	// The flag rapid.checks sets another number.
	_ = flag.Set("rapid.checks", "30")
	pgtest.Main(m)
}

var now = time.Date(2026, 11, 20, 12, 0, 0, 123e6, time.UTC)

// openDB opens dsn with the default settings of pgdb.Config.
func openDB(t testing.TB, dsn string) *pgdb.DB {
	t.Helper()
	return openWith(t, pgdb.Config{DSN: dsn})
}

func openWith(t testing.TB, cfg pgdb.Config) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func openStore(t testing.TB, dsn string) *postgres.Store {
	t.Helper()
	return postgres.New(openDB(t, dsn))
}

// freshDSN returns the DSN of a new database whose schema is up to date.
func freshDSN(t testing.TB) string {
	t.Helper()
	return pgtest.Migrated(t)
}

// freshStore returns a store on a new database, and the database.
func freshStore(t testing.TB) (*postgres.Store, *sql.DB) {
	t.Helper()
	dsn := freshDSN(t)
	return openStore(t, dsn), raw(t, dsn)
}

// raw opens dsn with database/sql, without package pgdb.
func raw(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func execute(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}

func count(t testing.TB, db *sql.DB, query string, args ...any) int {
	t.Helper()
	var n int
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// newGenerated creates a school of the given size with demo data and returns its ID.
func newGenerated(t testing.TB, s *postgres.Store, size demo.Size) school.ID {
	t.Helper()
	a := app.New(s, s.Schools(), s.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	id, _, err := kit.Import(t.Context(), a, demo.Generated("Generated "+uuid.NewString(), size))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func newSchool(t testing.TB, s *postgres.Store) school.ID {
	t.Helper()
	id := school.ID{UUID: uuid.New()}
	sch, err := school.New(id, "Lyceum "+id.String(), school.Preregistration, now)
	if err == nil {
		err = kit.AddSchool(t.Context(), s, sch)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// within runs fn in a transaction that must succeed.
func within(t testing.TB, s *postgres.Store, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) {
	t.Helper()
	if err := s.InTx(t.Context(), id, fn); err != nil {
		t.Fatal(err)
	}
}

func newCategory(name string) category.Category {
	return category.Restore(category.State{
		ID: category.ID{UUID: uuid.New()}, Name: name, CreatedAt: now, UpdatedAt: now,
	})
}

func newPerson(email string) person.Person {
	return person.Restore(person.State{
		ID: person.ID{UUID: uuid.New()}, Email: email, CreatedAt: now, UpdatedAt: now,
	})
}

func newCourse(permalink string) course.Course {
	return course.Restore(course.State{
		ID: course.ID{UUID: uuid.New()}, Name: permalink, Permalink: permalink,
		EnrollToken: fmt.Sprintf("%040x", 1), CreatedAt: now, UpdatedAt: now,
	})
}

func newGroup(name string) group.Group {
	return group.Restore(group.State{
		ID: group.ID{UUID: uuid.New()}, Name: name, EnrollToken: fmt.Sprintf("%040x", 2), CreatedAt: now, UpdatedAt: now,
	})
}

func member(p person.ID, g group.ID) membership.Membership {
	return membership.Membership{
		ID: membership.ID{UUID: uuid.New()}, Person: p, Group: g, Role: membership.Member, CreatedAt: now, UpdatedAt: now,
	}
}

// ofGroup returns the query of the first page of a group's memberships.
func ofGroup(id group.ID) query.Query {
	return query.Query{Where: query.Cond{
		Attr: membership.Schema.Attr("group.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}}
}

func newJob(id school.ID) job.Job {
	return job.New(job.ID{UUID: uuid.New()}, id, "letter", "to ada", now)
}

func learner(p person.ID, c course.ID) enrollment.Enrollment {
	return enrollment.Enrollment{
		ID: enrollment.ID{UUID: uuid.New()}, Person: p, Course: c, Role: enrollment.Learner,
		CreatedAt: now, UpdatedAt: now,
	}
}
