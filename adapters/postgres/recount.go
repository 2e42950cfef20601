package postgres

import (
	"context"
	"strconv"

	"github.com/google/uuid"
	"lyceum/domain/ledger"
)

// A count is set right by what it is wrong by, which no writer changes: each adds
// to the facts and to the count alike. Only another recount would, so one at a
// time is let in.
//
// The rows of people are locked as all who count lock them, in the order of their
// ids. The count of a course or a group is set right by what is left beside it,
// and nobody waits.
const (
	// The planner takes a new school for one row, and would compare each row of a
	// table with each row of the other.
	loopsOff  = `SET LOCAL enable_nestloop = off`
	loopsBack = `SET LOCAL enable_nestloop TO DEFAULT`

	oneRecount = `SELECT pg_advisory_xact_lock(hashtextextended('recount ' || $1::text, 0))`

	recountPeople = `
		WITH wrong AS MATERIALIZED (
			SELECT p.id, p.course_count, p.group_count, p.partnership_count,
				coalesce(e.n, 0) AS courses, coalesce(m.n, 0) AS groups, coalesce(k.n, 0) AS partnerships
			FROM people p
			LEFT JOIN (SELECT person_id, count(*) AS n FROM enrollments
				WHERE school_id = $1 AND role = 'learner' GROUP BY person_id) e ON e.person_id = p.id
			LEFT JOIN (SELECT person_id, count(*) AS n FROM memberships
				WHERE school_id = $1 AND role = 'member' GROUP BY person_id) m ON m.person_id = p.id
			LEFT JOIN (SELECT person_id, count(*) AS n FROM partnerships
				WHERE school_id = $1 GROUP BY person_id) k ON k.person_id = p.id
			WHERE p.school_id = $1 AND (p.course_count, p.group_count, p.partnership_count)
				<> (coalesce(e.n, 0), coalesce(m.n, 0), coalesce(k.n, 0))
		),
		locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (SELECT id FROM wrong)
			ORDER BY p.id FOR NO KEY UPDATE
		),
		mended AS (
			UPDATE people p SET course_count = p.course_count + (w.courses - w.course_count),
				group_count = p.group_count + (w.groups - w.group_count),
				partnership_count = p.partnership_count + (w.partnerships - w.partnership_count)
			FROM wrong w WHERE p.school_id = $1 AND p.id = w.id AND` + afterLock + `
		)
		SELECT id, value, stored, fact FROM wrong, LATERAL (VALUES (1, 'course_count', course_count, courses),
			(2, 'group_count', group_count, groups), (3, 'partnership_count', partnership_count, partnerships)
		) v (place, value, stored, fact)
		WHERE stored <> fact ORDER BY id, place`
	recountCourses = `
		WITH wrong AS MATERIALIZED (
			SELECT r.id, ` + enrollmentsCount + ` AS stored, coalesce(e.n, 0) AS fact
			FROM courses r LEFT JOIN (SELECT course_id, count(*) AS n FROM enrollments
				WHERE school_id = $1 AND role = 'learner' GROUP BY course_id) e ON e.course_id = r.id
			WHERE r.school_id = $1 AND ` + enrollmentsCount + ` <> coalesce(e.n, 0)
		),
		mended AS (
			INSERT INTO course_count_deltas (school_id, course_id, delta) SELECT $1, id, fact - stored FROM wrong
		)
		SELECT id, 'enrollments_count' AS value, stored, fact FROM wrong ORDER BY id`
	recountGroups = `
		WITH wrong AS MATERIALIZED (
			SELECT r.id, ` + membershipCount + ` AS stored, coalesce(m.n, 0) AS fact
			FROM groups r LEFT JOIN (SELECT group_id, count(*) AS n FROM memberships
				WHERE school_id = $1 AND role = 'member' GROUP BY group_id) m ON m.group_id = r.id
			WHERE r.school_id = $1 AND ` + membershipCount + ` <> coalesce(m.n, 0)
		),
		mended AS (
			INSERT INTO group_count_deltas (school_id, group_id, delta) SELECT $1, id, fact - stored FROM wrong
		)
		SELECT id, 'membership_count' AS value, stored, fact FROM wrong ORDER BY id`
)

// Recount corrects all derived data.
func (c ledgerRepo) Recount(ctx context.Context) ([]ledger.Difference, error) {
	if _, err := c.Exec(ctx, oneRecount, c.SchoolID); err != nil {
		return nil, err
	}
	if _, err := c.Exec(ctx, loopsOff); err != nil {
		return nil, err
	}
	found := []ledger.Difference{}
	for _, d := range derivations {
		wrong, err := d.reconcile(c, ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, wrong...)
	}
	_, err := c.Exec(ctx, loopsBack)
	return found, err
}

func (c ledgerRepo) recount(ctx context.Context, noun, statement string) ([]ledger.Difference, error) {
	var rows []struct {
		ID     uuid.UUID `db:"id"`
		Value  string    `db:"value"`
		Stored int64     `db:"stored"`
		Fact   int64     `db:"fact"`
	}
	if err := c.SelectRows(ctx, &rows, statement, c.SchoolID); err != nil {
		return nil, err
	}
	wrong := make([]ledger.Difference, len(rows))
	for i, r := range rows {
		wrong[i] = ledger.Difference{
			Record: noun + " " + r.ID.String(), Value: r.Value,
			Stored: strconv.FormatInt(r.Stored, 10), Right: strconv.FormatInt(r.Fact, 10),
		}
	}
	return wrong, nil
}
