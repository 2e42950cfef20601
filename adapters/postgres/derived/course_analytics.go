package derived

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/analytics"
	"lyceum/domain/reconcile"
)

// The rows of course analytics are derived from enrollments and attempts. Transactions that write
// enrollments or attempts lock the person. lockWrongPeople locks the people whose rows seem wrong.
// fixAnalyticsRows then sees everything that was committed before the locks. It checks the rows of
// these people again and fixes the rows that are still wrong.
const (
	lockWrongPeople = wrongAnalyticsRows + `,
		locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (SELECT person_id FROM wrong)
			ORDER BY p.id FOR NO KEY UPDATE
		)
		SELECT DISTINCT person_id FROM wrong WHERE` + pgdb.AfterLock
	fixAnalyticsRows = wrongAnalyticsRows + `,
		mine AS MATERIALIZED (SELECT * FROM wrong WHERE person_id = ANY ($2::uuid[])),
		removed AS (
			DELETE FROM course_analytics_rows s USING mine w
			WHERE s.school_id = $1 AND s.person_id = w.person_id AND s.course_id = w.course_id
				AND s.attempt_or_none = w.attempt_or_none AND w.fact IS NULL
		),
		fixed AS (
			UPDATE course_analytics_rows s SET enrolled_at = w.fact FROM mine w
			WHERE s.school_id = $1 AND s.person_id = w.person_id AND s.course_id = w.course_id
				AND s.attempt_or_none = w.attempt_or_none AND w.stored IS NOT NULL AND w.fact IS NOT NULL
		),
		added AS (
			INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
			SELECT $1, person_id, course_id, attempt_or_none, fact FROM mine WHERE stored IS NULL
		)
		SELECT person_id, course_id, attempt_or_none, stored, fact FROM mine
		ORDER BY person_id, course_id, attempt_or_none`
	wrongAnalyticsRows = `
		WITH due AS (
			SELECT e.person_id, e.course_id,
				coalesce(a.id, '00000000-0000-0000-0000-000000000000') AS attempt_or_none, e.created_at AS fact
			FROM enrollments e LEFT JOIN course_attempts a
				ON a.school_id = $1 AND a.person_id = e.person_id AND a.course_id = e.course_id
			WHERE e.school_id = $1 AND e.role = 'learner'
		),
		stored AS (
			SELECT person_id, course_id, attempt_or_none, enrolled_at AS stored FROM course_analytics_rows WHERE school_id = $1
		),
		wrong AS MATERIALIZED (
			SELECT person_id, course_id, attempt_or_none, stored, fact
			FROM due FULL JOIN stored USING (person_id, course_id, attempt_or_none)
			WHERE stored IS DISTINCT FROM fact
		)`
)

type analyticsDifference struct {
	Person  uuid.UUID  `db:"person_id"`
	Course  uuid.UUID  `db:"course_id"`
	Attempt uuid.UUID  `db:"attempt_or_none"`
	Stored  *time.Time `db:"stored"`
	Fact    *time.Time `db:"fact"`
}

func (r analyticsDifference) discrepancy() reconcile.Discrepancy {
	return reconcile.Discrepancy{
		Record: analytics.CourseType + " " + r.Person.String() + ":" + r.Course.String() + ":" + r.Attempt.String(),
		Value:  "enrolled_at", Stored: enrolledText(r.Stored), Expected: enrolledText(r.Fact),
	}
}

func reconcileAnalytics(ctx context.Context, c *pgdb.Session) ([]reconcile.Discrepancy, error) {
	var people []string
	if err := c.SelectRows(ctx, &people, lockWrongPeople, c.SchoolID); err != nil || len(people) == 0 {
		return nil, err
	}
	return differences[analyticsDifference](ctx, c, fixAnalyticsRows, c.SchoolID, pq.Array(people))
}

// enrolledText returns at as text, or "none" if at is nil.
func enrolledText(at *time.Time) string {
	if at == nil {
		return "none"
	}
	return pgdb.Instant(at.UTC())
}
