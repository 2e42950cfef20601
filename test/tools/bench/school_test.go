package bench_test

import (
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// size is the size of the measured school.
var size = demo.Size{People: 10_000, Courses: 100, Categories: 10, Enrollments: 50_000, Seed: 7}

// bench is a server with the measured school.
type bench struct {
	handler http.Handler
	key     string
	people  []person.Summary // the first page
	courses []string         // ids of the first page
}

// onBothStores calls measure with a server on each store.
func onBothStores(b *testing.B, measure func(b *testing.B, s *bench)) {
	b.Run("memory", func(b *testing.B) { measure(b, onMemory(b)) })
	b.Run("postgres", func(b *testing.B) { measure(b, onPostgres(b)) })
}

// servers contains a filled server for each store. All benchmarks share them.
var servers = map[string]*bench{}

func onMemory(b *testing.B) *bench {
	b.Helper()
	return openOnce(b, "memory", func() *app.App {
		s := memory.New()
		return app.New(s, s.Schools(), s.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	})
}

func onPostgres(b *testing.B) *bench {
	b.Helper()
	_, before := servers["postgres"]
	s := openOnce(b, "postgres", func() *app.App {
		// The pool stays open for later benchmarks. The database is dropped at the end of the run.
		db, err := pgdb.Open(b.Context(), pgdb.Config{DSN: pgtest.DSN(b)})
		if err != nil {
			b.Fatal(err)
		}
		s := postgres.New(db)
		return app.New(s, s.Schools(), s.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	})
	if !before {
		analyze(b)
	}
	return s
}

// analyze runs VACUUM ANALYZE, as autovacuum does on a production database.
func analyze(b *testing.B) {
	b.Helper()
	db, err := sql.Open("postgres", pgtest.DSN(b))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := db.ExecContext(b.Context(), "VACUUM ANALYZE"); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}

func openOnce(b *testing.B, name string, open func() *app.App) *bench {
	b.Helper()
	if s, ok := servers[name]; ok {
		return s
	}
	a := open()
	_, secret, err := kit.Import(b.Context(), a, demo.Generated("Measured", size))
	if err != nil {
		b.Fatal(err)
	}
	s := &bench{key: secret, handler: httpapi.New(a, httpapi.Config{}, slog.New(slog.DiscardHandler))}
	actor, err := a.Auth.Authenticate(b.Context(), s.key)
	if err != nil {
		b.Fatal(err)
	}
	people, err := a.People.List(b.Context(), actor, query.Query{})
	if err != nil {
		b.Fatal(err)
	}
	courses, err := a.Courses.List(b.Context(), actor, query.Query{})
	if err != nil {
		b.Fatal(err)
	}
	s.people = people.Items
	for _, c := range courses.Items {
		s.courses = append(s.courses, c.ID.String())
	}
	servers[name] = s
	return s
}

// do sends a request and fails the benchmark if the status is not the expected status.
func (s *bench) do(b *testing.B, method, target, body string, status int, header ...string) {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), method, target, strings.NewReader(body))
	r.Header.Set("X-Api-Key", s.key)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code != status {
		b.Fatalf("%s %s: %d %s", method, target, w.Code, w.Body)
	}
}
