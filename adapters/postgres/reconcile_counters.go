package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"lyceum/domain/reconcile"
)

// A wrong count is fixed by adding the number of rows minus the count. Other transactions do not
// change this difference, because they change the rows and the count together. Another
// reconciliation would change it, so only one runs at a time.
//
// People are locked in the order of their IDs, as in the triggers. The count of a course or a group
// is fixed by a delta, which waits for no lock.
const (
	// Without statistics about a new school, the planner assumes that each table has one row, and
	// would compare each row of one table with each row of the other.
	nestedLoopsOff     = `SET LOCAL enable_nestloop = off`
	nestedLoopsDefault = `SET LOCAL enable_nestloop TO DEFAULT`

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
		fixed AS (
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
		fixed AS (
			INSERT INTO group_count_deltas (school_id, group_id, delta) SELECT $1, id, fact - stored FROM wrong
		)
		SELECT id, 'membership_count' AS value, stored, fact FROM wrong ORDER BY id`
)

// RecalculateCounters implements ports.Reconciler.
func (c reconciler) RecalculateCounters(ctx context.Context) ([]reconcile.Discrepancy, error) {
	if err := c.write(ctx, reconcileLock, c.SchoolID); err != nil {
		return nil, err
	}
	if err := c.write(ctx, nestedLoopsOff); err != nil {
		return nil, err
	}
	found := []reconcile.Discrepancy{}
	for _, d := range derivations {
		wrong, err := d.reconcile(c, ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, wrong...)
	}
	return found, c.write(ctx, nestedLoopsDefault)
}

// A countRow is a wrong count: the stored value, and the number of rows that it should equal.
type countRow struct {
	ID     uuid.UUID `db:"id"`
	Value  string    `db:"value"`
	Stored int64     `db:"stored"`
	Fact   int64     `db:"fact"`
}

func (c reconciler) recount(ctx context.Context, noun, statement string) ([]reconcile.Discrepancy, error) {
	convert := func(r countRow) (reconcile.Discrepancy, error) {
		return reconcile.Discrepancy{
			Record: noun + " " + r.ID.String(), Value: r.Value,
			Stored: strconv.FormatInt(r.Stored, 10), Expected: strconv.FormatInt(r.Fact, 10),
		}, nil
	}
	return getAll(ctx, c.session, convert, statement, c.SchoolID)
}

// The gaps of a span of positions (see gapSpan) are its assigned positions minus its existing
// events. A deletion of events changes the stored gaps in the same transaction.
const recountFeed = `
	WITH fact AS (
		SELECT s.span, least(4096, f.position - s.span * 4096) - coalesce(e.events, 0) AS missing
		FROM event_feeds f
		CROSS JOIN LATERAL generate_series(0, (f.position - 1) / 4096) s (span)
		LEFT JOIN (
			SELECT (position - 1) / 4096 AS span, count(*) AS events FROM events WHERE school_id = $1 GROUP BY 1
		) e ON e.span = s.span
		WHERE f.school_id = $1
	),
	wrong AS MATERIALIZED (
		SELECT span, coalesce(g.missing, 0) AS stored, coalesce(f.missing, 0) AS fact
		FROM fact f FULL JOIN (SELECT span, missing FROM event_gaps WHERE school_id = $1) g USING (span)
		WHERE coalesce(g.missing, 0) <> coalesce(f.missing, 0)
	),
	fixed AS (
		INSERT INTO event_gaps AS g (school_id, span, missing)
		SELECT $1, span, fact - stored FROM wrong ORDER BY span
		ON CONFLICT (school_id, span) DO UPDATE SET missing = g.missing + excluded.missing
	)
	SELECT span, stored, fact FROM wrong ORDER BY span`

type gapRow struct {
	Span   int64 `db:"span"`
	Stored int64 `db:"stored"`
	Fact   int64 `db:"fact"`
}

func (r gapRow) discrepancy() (reconcile.Discrepancy, error) {
	return reconcile.Discrepancy{
		Record: fmt.Sprintf("events %d to %d", r.Span*gapSpan+1, (r.Span+1)*gapSpan), Value: "missing",
		Stored: strconv.FormatInt(r.Stored, 10), Expected: strconv.FormatInt(r.Fact, 10),
	}, nil
}

func (c reconciler) recountFeed(ctx context.Context) ([]reconcile.Discrepancy, error) {
	return getAll(ctx, c.session, gapRow.discrepancy, recountFeed, c.SchoolID)
}
