package postgres_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"lyceum/adapters/demo"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/analytics"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/test/kit/pgtest"
)

// searchedLists contains the lists that search the most attributes, and some that search only one.
var searchedLists = []struct {
	name  string
	build func(query.Request) (query.Query, error)
	sql   func(query.Query, school.ID) (string, []any)
}{
	{"quiz_scores", onSchema(analytics.ScoreSchema), onTable("quiz_scores")},
	{"quiz_raw_answers", onSchema(analytics.AnswerSchema), onTable("quiz_answers")},
	{"quiz_attempts", onSchema(analytics.QuizAttemptSchema), onTable("quiz_attempts")},
	{"activity_completions", onSchema(analytics.CompletionSchema), onTable("completions")},
	{"course analytics", onSchema(analytics.CourseSchema), onTable("course_analytics")},
	{"submissions", onSchema(submission.Schema), onTable("submissions")},
	{"redemptions", onSchema(redemption.Schema), onTable("redemptions")},
	{"people", onSchema(person.Schema), postgres.PeopleSQL},
	{"courses", onSchema(course.Schema), postgres.CoursesSQL},
	{"coupons", onSchema(coupon.Schema), postgres.CouponsSQL},
}

func onSchema[T any](s query.Schema[T]) func(query.Request) (query.Query, error) {
	return func(r query.Request) (query.Query, error) { return query.Build(s, r) }
}

func onTable(table string) func(query.Query, school.ID) (string, []any) {
	return func(q query.Query, id school.ID) (string, []any) { return postgres.LearningSQL(table, q, id) }
}

// BenchmarkSearchWords measures, with EXPLAIN ANALYZE, the cost of the statements of a search for
// 20 words and of a search for one word in a school of 60 people:
//
//	go test -tags nomsgpack -run '^$' -bench SearchWords -benchtime 20x ./adapters/postgres
//
// The results are the planning and the execution time of each search in milliseconds. Each is the
// minimum of all rounds, because other processes affect the minimum least.
func BenchmarkSearchWords(b *testing.B) {
	db, err := pgdb.Open(b.Context(), pgdb.Config{DSN: pgtest.Migrated(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	store := postgres.New(db)
	id := newGenerated(b, store, demo.Size{
		People: 60, Courses: 7, Categories: 3, Coupons: 4, Groups: 4, Enrollments: 100, Memberships: 20,
		Events: 50, Answers: 100, Seed: 1,
	})
	pool := postgres.Pool(db)
	for _, l := range searchedLists {
		b.Run(l.name, func(b *testing.B) {
			var planned, executed, one []float64
			for b.Loop() {
				p, e := explained(b, pool, l.build, l.sql, id, 20)
				planned, executed = append(planned, p), append(executed, e)
				p, e = explained(b, pool, l.build, l.sql, id, 1)
				one = append(one, p+e)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(slices.Min(planned), "plan-ms")
			b.ReportMetric(slices.Min(executed), "exec-ms")
			b.ReportMetric(slices.Min(one), "one-word-ms")
		})
	}
}

// explained returns the time in milliseconds that Postgres takes to plan and to execute a
// search of the given number of words.
func explained(
	b *testing.B, pool *sqlx.DB, build func(query.Request) (query.Query, error),
	sql func(query.Query, school.ID) (string, []any), id school.ID, words int,
) (plan, execution float64) {
	b.Helper()
	var search []string
	for i := range words {
		search = append(search, fmt.Sprintf("%c%c", 'a'+i, 'e'+i%7))
	}
	q, err := build(query.Request{Search: strings.Join(search, " ")})
	if err != nil {
		b.Fatal(err)
	}
	text, args := sql(q, id)
	var document string
	if err := pool.GetContext(b.Context(), &document, "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "+text, args...); err != nil {
		b.Fatal(err)
	}
	var plans []struct {
		Planning  float64 `json:"Planning Time"`
		Execution float64 `json:"Execution Time"`
	}
	if err := json.Unmarshal([]byte(document), &plans); err != nil {
		b.Fatal(err)
	}
	return plans[0].Planning, plans[0].Execution
}
