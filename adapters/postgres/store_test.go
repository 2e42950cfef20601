package postgres_test

import (
	"testing"
	"time"

	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/test/conformance/storetest"
	"lyceum/test/kit/pgtest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Backend {
		dsn := pgtest.DSN(t)
		s := openStore(t, dsn)
		return storetest.Backend{
			Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s,
			Run: func(t *testing.T, name string) (storetest.Backend, func()) {
				t.Helper()
				db := openWith(t, pgdb.Config{DSN: dsn, Server: name, ReleaseAfter: 100 * time.Millisecond})
				s := postgres.New(db)
				return storetest.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s}, func() { _ = db.Close() }
			},
			Damage: func(t *testing.T, id school.ID, d storetest.Damage) {
				t.Helper()
				statement, ok := damages[d]
				if !ok {
					t.Fatalf("no statement for the damage %v", d)
				}
				if _, err := raw(t, dsn).ExecContext(t.Context(), statement, id.UUID); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

// damages contains statements that damage the derived data of the school $1.
var damages = map[storetest.Damage]string{
	{Value: reconcile.PersonCourses, Fault: storetest.Wrong}:      `UPDATE people SET course_count = course_count + 7 WHERE school_id = $1`,
	{Value: reconcile.PersonGroups, Fault: storetest.Wrong}:       `UPDATE people SET group_count = group_count + 7 WHERE school_id = $1`,
	{Value: reconcile.PersonPartnerships, Fault: storetest.Wrong}: `UPDATE people SET partnership_count = partnership_count + 7 WHERE school_id = $1`,
	{Value: reconcile.CourseEnrollments, Fault: storetest.Wrong}:  `UPDATE courses SET enrollments_count = enrollments_count + 7 WHERE school_id = $1`,
	{Value: reconcile.GroupMemberships, Fault: storetest.Wrong}:   `UPDATE groups SET membership_count = membership_count + 7 WHERE school_id = $1`,
	{Value: reconcile.QuizScores, Fault: storetest.Wrong}:         `UPDATE quiz_scores SET correct = 1 - least(correct, 1) WHERE school_id = $1`,
	{Value: reconcile.QuizScores, Fault: storetest.Missing}:       `DELETE FROM quiz_scores WHERE school_id = $1`,
	{Value: reconcile.CourseAnalytics, Fault: storetest.Wrong}:    `UPDATE course_analytics_rows SET enrolled_at = enrolled_at + interval '7 hours' WHERE school_id = $1`,
	{Value: reconcile.CourseAnalytics, Fault: storetest.Missing}:  `DELETE FROM course_analytics_rows WHERE school_id = $1`,
	{Value: reconcile.CourseAnalytics, Fault: storetest.Stray}: `INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
		SELECT DISTINCT ON (person_id, course_id) school_id, person_id, course_id, course_id, enrolled_at
		FROM course_analytics_rows WHERE school_id = $1`,
	{Value: reconcile.FeedGaps, Fault: storetest.Wrong}:   `UPDATE event_gaps SET missing = missing + 7 WHERE school_id = $1`,
	{Value: reconcile.FeedGaps, Fault: storetest.Missing}: `DELETE FROM event_gaps WHERE school_id = $1`,
}
