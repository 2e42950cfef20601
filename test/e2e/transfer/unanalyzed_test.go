package transfer_test

import (
	"database/sql"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

// classSize is the number of people in each school. It is so small that a load does not run
// ANALYZE.
const classSize = 1500

const (
	noAutovacuum = `DO $$ DECLARE t regclass; BEGIN
		FOR t IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
			EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', t);
		END LOOP;
	END $$`
	otherSessions = `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
	rowsReadSoFar = `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)
		+ (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)`
)

// TestSchoolWithoutStatistics counts the rows that imports, an export and reconciliations read in a
// school created after the last ANALYZE. With an unsuitable index, they would read the whole school
// for each row: hundreds of rows here, and more in a larger school.
func TestSchoolWithoutStatistics(t *testing.T) {
	for _, tt := range []struct {
		name  string
		older bool // whether another school existed at the last ANALYZE
	}{{"ANALYZE never run", false}, {"ANALYZE run before the school came", true}} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			dsn := pgtest.Migrated(t)
			db, err := sql.Open("postgres", dsn)
			is.NoErr(err)
			defer func() { is.NoErr(db.Close()) }()
			execute := func(statement string) {
				t.Helper()
				_, err := db.ExecContext(t.Context(), statement)
				is.NoErr(err)
			}
			execute(noAutovacuum)
			var csv, lines school.ID
			withUseCases(t, dsn, func(h useCases) {
				if tt.older {
					h.importSchool(t, schoolLines("Older", classSize))
					execute(`ANALYZE`)
				}
				csv, lines = h.importSchool(t, schoolLines("By CSV", 0)), h.importSchool(t, schoolLines("By lines", 0))
			})
			for _, way := range []struct {
				name string
				most int64 // maximum number of rows read for each person
				do   func(h useCases) error
			}{
				{"import people as CSV", 60, func(h useCases) error {
					_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(csv), reading(enrollments(classSize)), true)
					return err
				}},
				{"import the same people again", 30, func(h useCases) error {
					_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(csv), reading(enrollments(classSize)), true)
					return err
				}},
				{"import changes of these people as CSV", 60, func(h useCases) error {
					_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(csv), reading(strings.ReplaceAll(enrollments(classSize), "First", "New")), true)
					return err
				}},
				{"import lines", 60, func(h useCases) error {
					_, err := h.Transfers.Import(t.Context(), app.SystemActor(lines), reading(schoolLines("By lines", classSize)))
					return err
				}},
				{"import changes of these people as lines", 60, func(h useCases) error {
					changed := strings.ReplaceAll(schoolLines("By lines", classSize), `@example.test"}`, `@example.test","first_name":"New"}`)
					_, err := h.Transfers.Import(t.Context(), app.SystemActor(lines), reading(changed))
					return err
				}},
				{"export the school of the lines", 60, func(h useCases) error {
					return h.Transfers.Export(t.Context(), app.SystemActor(lines), io.Discard, func(int) {})
				}},
				{"rebuild the school of the CSV file", 60, func(h useCases) error {
					return h.Reconcile.School(t.Context(), csv, func(d reconcile.Discrepancy) { t.Error(d) })
				}},
				{"rebuild the school of the lines", 60, func(h useCases) error {
					return h.Reconcile.School(t.Context(), lines, func(d reconcile.Discrepancy) { t.Error(d) })
				}},
			} {
				t.Run(way.name, func(t *testing.T) {
					is := is.New(t)
					before := rowsRead(t, db)
					withUseCases(t, dsn, func(h useCases) { is.NoErr(way.do(h)) })
					if each := (rowsRead(t, db) - before) / classSize; each > way.most {
						t.Errorf("%d rows read for each person, at most %d expected", each, way.most)
					}
				})
			}
		})
	}
}

// withUseCases calls do with the use cases on the database of dsn and closes all connections.
func withUseCases(t *testing.T, dsn string, do func(h useCases)) {
	t.Helper()
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	store, kept := postgres.New(db), files.NewMemory()
	do(useCases{
		app.New(store, store.Schools(), store.Queue(), kept, fake.NewInvitationSender(), clock.NewSystem(), clock.NewRandom()), store, kept,
	})
}

// rowsRead returns the number of rows that all statements have read. A connection reports the
// number when it ends, so rowsRead waits until all connections have ended.
func rowsRead(t *testing.T, db *sql.DB) (n int64) {
	t.Helper()
	for others := 1; others > 0; time.Sleep(10 * time.Millisecond) {
		if err := db.QueryRowContext(t.Context(), otherSessions).Scan(&others); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.QueryRowContext(t.Context(), rowsReadSoFar).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// schoolLines returns the lines of a school whose people learn in a course.
func schoolLines(name string, people int) string {
	text := []string{
		`{"kind":"school","format":1,"name":"` + name + `"}`,
		`{"kind":"course","permalink":"drawing","name":"Drawing"}`,
		`{"kind":"activity","course":"drawing","title":"Read","type":"text"}`,
		`{"kind":"activity","course":"drawing","title":"Think","type":"text"}`,
		`{"kind":"group","name":"Painters"}`,
		`{"kind":"group_course","group":"Painters","course":"drawing"}`,
	}
	for _, line := range []string{
		`{"kind":"person","email":"p%d@example.test"}`,
		`{"kind":"membership","group":"Painters","person":"p%d@example.test","role":"member"}`,
		`{"kind":"enrollment","course":"drawing","person":"p%d@example.test","role":"learner"}`,
		`{"kind":"attempt","course":"drawing","person":"p%d@example.test","number":1,` +
			`"completed":[{"activity":"Read","at":"2026-02-01T10:00:00Z"}]}`,
	} {
		for i := range people {
			text = append(text, fmt.Sprintf(line, i))
		}
	}
	return strings.Join(append(text, `{"kind":"end"}`), "\n") + "\n"
}

// enrollments returns people, who are all members of a group, as CSV.
func enrollments(people int) string {
	var b strings.Builder
	b.WriteString("email,first_name,groups\n")
	for i := range people {
		fmt.Fprintf(&b, "p%d@example.test,First %d,Painters\n", i, i)
	}
	return b.String()
}
