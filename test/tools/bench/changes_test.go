package bench_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/audit"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

var changeRounds = flag.Int("changes", 0, "rounds of BenchmarkChanges; 0 leaves it out")

const (
	changeClients  = 4
	changeRequests = 16 // number of requests in a round on one database
)

// disableFeed disables the triggers that write the change feed.
const disableFeed = `DO $$ DECLARE o record; BEGIN
	FOR o IN SELECT t.tgrelid::regclass AS name, t.tgname AS trigger FROM pg_trigger t WHERE t.tgname LIKE '%\_9\_changes' LOOP
		EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', o.name, o.trigger);
	END LOOP;
END $$`

// disableAudit removes what the audit trail adds to the change feed.
const disableAudit = `
	ALTER TABLE changes ALTER COLUMN actor_type DROP DEFAULT, ALTER COLUMN actor_id DROP DEFAULT,
		ALTER COLUMN person_id DROP DEFAULT, ALTER COLUMN request_id DROP DEFAULT, ALTER COLUMN address DROP DEFAULT;
	DROP INDEX changes_by_actor;
	DROP INDEX changes_by_person`

// withoutOrigin is a store whose transactions have no origin.
type withoutOrigin struct{ ports.Store }

func (s withoutOrigin) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.InTx(ports.WithOrigin(ctx, audit.Origin{}), id, fn)
}

func (s withoutOrigin) AddPerson(ctx context.Context, id school.ID, p ports.NewPerson) (*person.Summary, error) {
	return s.Store.AddPerson(ports.WithOrigin(ctx, audit.Origin{}), id, p)
}

// BenchmarkChanges measures on Postgres what the change feed and the audit trail cost requests that
// create people and enrollments. It compares three databases with the same school: one with both,
// one with the change feed only, and one without both, whose triggers are disabled. Short rounds on
// all of them alternate, so that other load on the machine affects them equally. The results are
// the median time of a request without both, and the ratios of the other medians to it.
func BenchmarkChanges(b *testing.B) {
	if *changeRounds <= 0 {
		b.Skip("no rounds; see make bench-changes")
	}
	without := func(s ports.Store) ports.Store { return withoutOrigin{s} }
	measured := []*bench{
		newFeedBench(b, without, disableFeed), newFeedBench(b, without, disableAudit),
		newFeedBench(b, func(s ports.Store) ports.Store { return s }),
	}
	for _, op := range []struct {
		name string
		send func(s *bench, i int)
	}{
		{"create a person", func(s *bench, _ int) {
			s.do(b, http.MethodPost, "/v1/learners",
				`{"data":{"type":"people","attributes":{"email":"`+uuid.NewString()+`@example.test"}}}`, http.StatusCreated)
		}},
		{"enroll in one course", func(s *bench, i int) { s.enroll(b, i, 50, 1) }},
		{"enroll in 5 courses", func(s *bench, i int) { s.enroll(b, i, 0, 5) }},
	} {
		b.Run(op.name, func(b *testing.B) {
			b.N = 1 //lint:ignore SA3001 people are enrolled once
			var took [3][]time.Duration
			for round := range *changeRounds {
				for turn := range measured {
					n := (round + turn) % len(measured)
					took[n] = append(took[n], atOnce(func(i int) { op.send(measured[n], round*changeRequests+i) }))
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			median := func(i int) float64 { return took[i][*changeRounds/2].Seconds() }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(0)/changeRequests*1000, "without_ms")
			b.ReportMetric(median(1)/median(0), "feed_ratio")
			b.ReportMetric(median(2)/median(0), "feed_and_audit_ratio")
		})
	}
}

// newFeedBench returns a server on a new database with a school, in which it executes statements.
// Its use cases get the result of wrap.
func newFeedBench(b *testing.B, wrap func(ports.Store) ports.Store, statements ...string) *bench {
	b.Helper()
	dsn := pgtest.Fresh(b)
	db, err := pgdb.Open(b.Context(), pgdb.Config{DSN: dsn})
	mustSucceed(b, err)
	b.Cleanup(func() { _ = db.Close() })
	mustSucceed(b, migrations.Apply(b.Context(), db, slog.New(slog.DiscardHandler)))
	store := postgres.New(db)
	a := app.New(wrap(store), store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	n := *changeRounds * changeRequests
	_, secret, err := kit.Import(b.Context(), a, demo.Generated("Measured", demo.Size{People: n, Courses: 100, Categories: 10, Seed: 7}))
	mustSucceed(b, err)
	own, err := sql.Open("postgres", dsn)
	mustSucceed(b, err)
	defer func() { _ = own.Close() }()
	for _, statement := range append(statements, "VACUUM ANALYZE") {
		_, err := own.ExecContext(b.Context(), statement)
		mustSucceed(b, err)
	}
	s := &bench{key: secret, handler: httpapi.New(a, httpapi.Config{}, slog.New(slog.DiscardHandler))}
	actor, err := a.Auth.Authenticate(b.Context(), secret)
	mustSucceed(b, err)
	for page := int64(1); len(s.people) < n; page++ {
		people, err := a.People.List(b.Context(), actor, query.Query{Page: query.NewPage(page, query.MaxLimit)})
		mustSucceed(b, err)
		s.people = append(s.people, people.Items...)
	}
	courses, err := a.Courses.List(b.Context(), actor, query.Query{Page: query.NewPage(1, 100)})
	mustSucceed(b, err)
	for _, c := range courses.Items {
		s.courses = append(s.courses, c.ID.String())
	}
	return s
}

// enroll enrolls the person i in n successive courses, beginning with the course i*n+first. After
// the last course, it continues with the first course.
func (s *bench) enroll(b *testing.B, i, first, n int) {
	b.Helper()
	var data []string
	for k := range n {
		data = append(data, fmt.Sprintf(`{"type":"enrolled-courses","id":%q}`, s.courses[(first+i*n+k)%len(s.courses)]))
	}
	s.do(b, http.MethodPost, "/v1/people/"+s.people[i].ID.String()+"/relationships/courses",
		`{"data":[`+strings.Join(data, ",")+`]}`, http.StatusNoContent)
}

// atOnce calls send with 0 to changeRequests-1 from several goroutines, and returns the duration.
func atOnce(send func(i int)) time.Duration {
	var clients sync.WaitGroup
	began := time.Now()
	for c := range changeClients {
		clients.Go(func() {
			for i := c; i < changeRequests; i += changeClients {
				send(i)
			}
		})
	}
	clients.Wait()
	return time.Since(began)
}
