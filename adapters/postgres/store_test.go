package postgres_test

import (
	"testing"
	"time"

	"lyceum/adapters/postgres"
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
				db := openNamed(t, dsn, name)
				postgres.SetTakeBackAfter(db, 100*time.Millisecond)
				s := postgres.New(db)
				return storetest.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s}, func() { _ = db.Close() }
			},
			Damage: func(t *testing.T, id school.ID, d storetest.Damage) bool {
				t.Helper()
				_, err := raw(t, dsn).ExecContext(t.Context(), damages[d], id.UUID)
				if err != nil {
					t.Fatal(err)
				}
				return true
			},
		}
	})
}

var damages = map[storetest.Damage]string{
	storetest.PersonCourses:      `UPDATE people SET course_count = course_count + 7 WHERE school_id = $1`,
	storetest.PersonGroups:       `UPDATE people SET group_count = group_count + 7 WHERE school_id = $1`,
	storetest.PersonPartnerships: `UPDATE people SET partnership_count = partnership_count + 7 WHERE school_id = $1`,
	storetest.CourseEnrollments:  `UPDATE courses SET enrollments_count = enrollments_count + 7 WHERE school_id = $1`,
	storetest.GroupMemberships:   `UPDATE groups SET membership_count = membership_count + 7 WHERE school_id = $1`,
	storetest.ScoreWrong:         `UPDATE quiz_scores SET correct = 1 - least(correct, 1) WHERE school_id = $1`,
	storetest.ScoreLost:          `DELETE FROM quiz_scores WHERE school_id = $1`,
	storetest.StandingWrong:      `UPDATE course_analytics_rows SET enrolled_at = enrolled_at + interval '7 hours' WHERE school_id = $1`,
	storetest.StandingLost:       `DELETE FROM course_analytics_rows WHERE school_id = $1`,
	storetest.StandingStray: `INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
		SELECT DISTINCT ON (person_id, course_id) school_id, person_id, course_id, course_id, enrolled_at
		FROM course_analytics_rows WHERE school_id = $1`,
}
