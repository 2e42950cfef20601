// Package postgres_test runs the conformance suite of stores on Postgres. It is not part of the
// tests of adapters/postgres, so that go test runs both at the same time.
package postgres_test

import (
	"database/sql"
	"flag"
	"testing"
	"time"

	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/test/conformance/storetest"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) {
	// By default, the property tests run few checks, so that they are fast enough for daily use.
	// The flag rapid.checks sets another number.
	_ = flag.Set("rapid.checks", "30")
	pgtest.Main(m)
}

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Backend {
		dsn := pgtest.DSN(t)
		s := postgres.New(connect(t, pgdb.Config{DSN: dsn}))
		return storetest.Backend{
			Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s,
			Run: func(t *testing.T, name string) (storetest.Backend, func()) {
				t.Helper()
				db := connect(t, pgdb.Config{DSN: dsn, Server: name, ReleaseAfter: 100 * time.Millisecond})
				s := postgres.New(db)
				return storetest.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s}, func() { _ = db.Close() }
			},
			Damage: func(t *testing.T, id school.ID, d storetest.Damage) {
				t.Helper()
				statement, ok := damages[d]
				if !ok {
					t.Fatalf("no statement for the damage %v", d)
				}
				db, err := sql.Open("postgres", dsn)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = db.Close() }()
				if _, err := db.ExecContext(t.Context(), statement, id.UUID); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

// connect opens a database that is closed at the end of the test.
func connect(t *testing.T, cfg pgdb.Config) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// damages contains statements that damage the derived data of the school $1.
var damages = map[storetest.Damage]string{
	{Value: reconcile.PersonCourses, Defect: storetest.Wrong}:      `UPDATE people SET course_count = course_count + 7 WHERE school_id = $1`,
	{Value: reconcile.PersonGroups, Defect: storetest.Wrong}:       `UPDATE people SET group_count = group_count + 7 WHERE school_id = $1`,
	{Value: reconcile.PersonPartnerships, Defect: storetest.Wrong}: `UPDATE people SET partnership_count = partnership_count + 7 WHERE school_id = $1`,
	{Value: reconcile.CourseEnrollments, Defect: storetest.Wrong}:  `UPDATE courses SET enrollments_count = enrollments_count + 7 WHERE school_id = $1`,
	{Value: reconcile.GroupMemberships, Defect: storetest.Wrong}:   `UPDATE groups SET membership_count = membership_count + 7 WHERE school_id = $1`,
	{Value: reconcile.QuizScores, Defect: storetest.Wrong}:         `UPDATE quiz_scores SET correct = 1 - least(correct, 1) WHERE school_id = $1`,
	{Value: reconcile.QuizScores, Defect: storetest.Missing}:       `DELETE FROM quiz_scores WHERE school_id = $1`,
	{Value: reconcile.CourseAnalytics, Defect: storetest.Wrong}:    `UPDATE course_analytics_rows SET enrolled_at = enrolled_at + interval '7 hours' WHERE school_id = $1`,
	{Value: reconcile.CourseAnalytics, Defect: storetest.Missing}:  `DELETE FROM course_analytics_rows WHERE school_id = $1`,
	{Value: reconcile.CourseAnalytics, Defect: storetest.Stray}: `INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
		SELECT DISTINCT ON (person_id, course_id) school_id, person_id, course_id, course_id, enrolled_at
		FROM course_analytics_rows WHERE school_id = $1`,
	{Value: reconcile.FeedGaps, Defect: storetest.Wrong}:   `UPDATE event_gaps SET missing = missing + 7 WHERE school_id = $1`,
	{Value: reconcile.FeedGaps, Defect: storetest.Missing}: `DELETE FROM event_gaps WHERE school_id = $1`,
}
