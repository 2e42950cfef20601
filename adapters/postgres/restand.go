package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/analytics"
	"lyceum/domain/ledger"
)

// The standings of course analytics follow from enrollments and attempts, whose
// writers hold the lock on the person. So those who look wrong are locked, and a
// second statement, which sees what was committed before that, looks at them
// again and sets right what is still wrong. Who stands may be there no more.
const (
	lockMisplaced = misplaced + `,
		locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (SELECT person_id FROM wrong)
			ORDER BY p.id FOR NO KEY UPDATE
		)
		SELECT DISTINCT person_id FROM wrong WHERE` + afterLock
	restand = misplaced + `,
		mine AS MATERIALIZED (SELECT * FROM wrong WHERE person_id = ANY ($2::uuid[])),
		removed AS (
			DELETE FROM course_analytics_rows s USING mine w
			WHERE s.school_id = $1 AND s.person_id = w.person_id AND s.course_id = w.course_id
				AND s.attempt_or_none = w.attempt_or_none AND w.fact IS NULL
		),
		mended AS (
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
	misplaced = `
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

func (c ledgerRepo) restand(ctx context.Context) ([]ledger.Difference, error) {
	var people []string
	if err := c.SelectRows(ctx, &people, lockMisplaced, c.SchoolID); err != nil || len(people) == 0 {
		return nil, err
	}
	var rows []struct {
		Person  uuid.UUID  `db:"person_id"`
		Course  uuid.UUID  `db:"course_id"`
		Attempt uuid.UUID  `db:"attempt_or_none"`
		Stored  *time.Time `db:"stored"`
		Fact    *time.Time `db:"fact"`
	}
	if err := c.SelectRows(ctx, &rows, restand, c.SchoolID, pq.Array(people)); err != nil {
		return nil, err
	}
	wrong := make([]ledger.Difference, len(rows))
	for i, r := range rows {
		wrong[i] = ledger.Difference{
			Record: analytics.CourseType + " " + r.Person.String() + ":" + r.Course.String() + ":" + r.Attempt.String(),
			Value:  "enrolled_at", Stored: standingText(r.Stored), Right: standingText(r.Fact),
		}
	}
	return wrong, nil
}

// standingText writes since when somebody stands, for people.
func standingText(at *time.Time) string {
	if at == nil {
		return "none"
	}
	return pgdb.Instant(at.UTC())
}
