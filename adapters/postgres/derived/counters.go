package derived

import (
	"context"
	"strconv"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/reconcile"
)

// EnrollmentsCount is the expression of a course's count of learners, for the table r. It includes
// the deltas, which transactions add while another transaction has locked the row.
const EnrollmentsCount = `(r.enrollments_count + coalesce((SELECT sum(d.delta)::bigint FROM course_count_deltas d
	WHERE d.school_id = r.school_id AND d.course_id = r.id), 0))`

// MembershipCount is the expression of a group's count of members, for the table r. It includes the
// deltas, which transactions add while another transaction has locked the row.
const MembershipCount = `(r.membership_count + coalesce((SELECT sum(d.delta)::bigint FROM group_count_deltas d
	WHERE d.school_id = r.school_id AND d.group_id = r.id), 0))`

// A wrong count is fixed by adding the number of rows minus the count. Other transactions do not
// change this difference, because they change the rows and the count together. Another
// reconciliation would change it, so only one runs at a time.
//
// People are locked in the order of their IDs, as in the triggers. The count of a course or a group
// is fixed by a delta, which waits for no lock.
const (
	reconcileLock = `SELECT pg_advisory_xact_lock(hashtextextended('recount ' || $1::text, 0))`

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
		fixed AS (
			UPDATE people p SET course_count = p.course_count + (w.courses - w.course_count),
				group_count = p.group_count + (w.groups - w.group_count),
				partnership_count = p.partnership_count + (w.partnerships - w.partnership_count)
			FROM wrong w WHERE p.school_id = $1 AND p.id = w.id AND` + pgdb.AfterLock + `
		)
		SELECT id, value, stored, fact FROM wrong, LATERAL (VALUES (1, 'course_count', course_count, courses),
			(2, 'group_count', group_count, groups), (3, 'partnership_count', partnership_count, partnerships)
		) v (place, value, stored, fact)
		WHERE stored <> fact ORDER BY id, place`
	recountCourses = `
		WITH wrong AS MATERIALIZED (
			SELECT r.id, ` + EnrollmentsCount + ` AS stored, coalesce(e.n, 0) AS fact
			FROM courses r LEFT JOIN (SELECT course_id, count(*) AS n FROM enrollments
				WHERE school_id = $1 AND role = 'learner' GROUP BY course_id) e ON e.course_id = r.id
			WHERE r.school_id = $1 AND ` + EnrollmentsCount + ` <> coalesce(e.n, 0)
		),
		fixed AS (
			INSERT INTO course_count_deltas (school_id, course_id, delta) SELECT $1, id, fact - stored FROM wrong
		)
		SELECT id, 'enrollments_count' AS value, stored, fact FROM wrong ORDER BY id`
	recountGroups = `
		WITH wrong AS MATERIALIZED (
			SELECT r.id, ` + MembershipCount + ` AS stored, coalesce(m.n, 0) AS fact
			FROM groups r LEFT JOIN (SELECT group_id, count(*) AS n FROM memberships
				WHERE school_id = $1 AND role = 'member' GROUP BY group_id) m ON m.group_id = r.id
			WHERE r.school_id = $1 AND ` + MembershipCount + ` <> coalesce(m.n, 0)
		),
		fixed AS (
			INSERT INTO group_count_deltas (school_id, group_id, delta) SELECT $1, id, fact - stored FROM wrong
		)
		SELECT id, 'membership_count' AS value, stored, fact FROM wrong ORDER BY id`
)

// Recalculate computes all values of reconcile.Derived from their source records, fixes the wrong
// ones and returns the discrepancies.
func Recalculate(ctx context.Context, c *pgdb.Session) ([]reconcile.Discrepancy, error) {
	if _, err := c.Exec(ctx, reconcileLock, c.SchoolID); err != nil {
		return nil, err
	}
	if _, err := c.Exec(ctx, pgdb.NestedLoopsOff); err != nil {
		return nil, err
	}
	found := []reconcile.Discrepancy{}
	for _, d := range derivations {
		wrong, err := d.reconcile(ctx, c)
		if err != nil {
			return nil, err
		}
		found = append(found, wrong...)
	}
	_, err := c.Exec(ctx, pgdb.NestedLoopsDefault)
	return found, err
}

// differences returns the rows of a statement as discrepancies.
func differences[R interface{ discrepancy() reconcile.Discrepancy }](
	ctx context.Context, c *pgdb.Session, statement string, args ...any,
) ([]reconcile.Discrepancy, error) {
	var rows []R
	if err := c.SelectRows(ctx, &rows, statement, args...); err != nil {
		return nil, err
	}
	all := make([]reconcile.Discrepancy, len(rows))
	for i, r := range rows {
		all[i] = r.discrepancy()
	}
	return all, nil
}

// A countRow is a wrong count: the stored value, and the number of rows that it should equal.
type countRow struct {
	ID     uuid.UUID `db:"id"`
	Value  string    `db:"value"`
	Stored int64     `db:"stored"`
	Fact   int64     `db:"fact"`
}

func (r countRow) discrepancy() reconcile.Discrepancy {
	return reconcile.Discrepancy{
		Record: r.ID.String(), Value: r.Value,
		Stored: strconv.FormatInt(r.Stored, 10), Expected: strconv.FormatInt(r.Fact, 10),
	}
}
