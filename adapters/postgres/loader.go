package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Loader = (*Store)(nil)

// ownFacts is a condition that holds for the rows that the transaction has
// inserted.
const ownFacts = ` school_id = $1 AND xmin = pg_current_xact_id()::xid `

// What the load has added is counted as the triggers would have counted it: the
// people are locked in the order of their ids; a course or a group that is in use
// is not waited for, its count is left beside it.
const (
	uncounted = `SELECT set_config('lyceum.counting', 'off', true)`
	// The planner knows nothing of a school that is new: it takes its rows for a
	// few and would look through all people for each of a million enrollments.
	unlooped         = `SELECT set_config('enable_nestloop', 'off', true) WHERE $1::uuid IS NOT NULL`
	loadPeopleCounts = `
		WITH own AS MATERIALIZED (
			SELECT person_id, sum(courses) AS courses, sum(groups) AS groups, sum(roles) AS roles
			FROM (
				SELECT person_id, 1 AS courses, 0 AS groups, 0 AS roles FROM enrollments
				WHERE` + ownFacts + `AND role = 'learner'
				UNION ALL SELECT person_id, 0, 1, 0 FROM memberships WHERE` + ownFacts + `AND role = 'member'
				UNION ALL SELECT person_id, 0, 0, 1 FROM partnerships WHERE` + ownFacts + `
			) f GROUP BY person_id
		),
		locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (SELECT person_id FROM own)
			ORDER BY p.id FOR NO KEY UPDATE
		)
		UPDATE people p SET course_count = p.course_count + o.courses, group_count = p.group_count + o.groups,
			partnership_count = p.partnership_count + o.roles
		FROM own o WHERE p.school_id = $1 AND p.id = o.person_id AND` + afterLock
	loadCourseCounts = `
		WITH own AS MATERIALIZED (
			SELECT course_id AS id, count(*) AS n FROM enrollments WHERE` + ownFacts + `AND role = 'learner' GROUP BY course_id
		),
		held AS MATERIALIZED (
			SELECT c.id FROM courses c WHERE c.school_id = $1 AND c.id IN (SELECT id FROM own)
			ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
		),
		counted AS (
			UPDATE courses c SET enrollments_count = c.enrollments_count + o.n FROM own o
			WHERE c.school_id = $1 AND c.id = o.id AND c.id IN (SELECT id FROM held)
		)
		INSERT INTO course_count_deltas (school_id, course_id, delta)
		SELECT $1, id, n FROM own WHERE id NOT IN (SELECT id FROM held)`
	loadGroupCounts = `
		WITH own AS MATERIALIZED (
			SELECT group_id AS id, count(*) AS n FROM memberships WHERE` + ownFacts + `AND role = 'member' GROUP BY group_id
		),
		held AS MATERIALIZED (
			SELECT g.id FROM groups g WHERE g.school_id = $1 AND g.id IN (SELECT id FROM own)
			ORDER BY g.id FOR NO KEY UPDATE SKIP LOCKED
		),
		counted AS (
			UPDATE groups g SET membership_count = g.membership_count + o.n FROM own o
			WHERE g.school_id = $1 AND g.id = o.id AND g.id IN (SELECT id FROM held)
		)
		INSERT INTO group_count_deltas (school_id, group_id, delta)
		SELECT $1, id, n FROM own WHERE id NOT IN (SELECT id FROM held)`
	loadScores = `
		INSERT INTO quiz_scores AS s (school_id, attempt_id, activity_id, person_id, course_id, course_number,
			quiz_id, number, answered, correct, total, last_answered_at)
		SELECT $1, attempt_id, activity_id, person_id, course_id, course_number,
			quiz_id, number, answered, correct, total, last_answered_at
		FROM (
			SELECT DISTINCT ON (attempt_id, activity_id) *, min(ctid) OVER (PARTITION BY attempt_id, activity_id) AS came
			FROM quiz_attempts WHERE` + ownFacts + `ORDER BY attempt_id, activity_id, number DESC
		) l
		ORDER BY came -- as they came, in a table without holes: so imports of one file give the same ids
		ON CONFLICT (school_id, attempt_id, activity_id) DO UPDATE SET
			number = excluded.number, answered = excluded.answered, correct = excluded.correct,
			total = excluded.total, last_answered_at = excluded.last_answered_at
		WHERE s.number <= excluded.number`
)

// lockSchoolName lets schools of one name be added one after the other.
const lockSchoolName = `SELECT pg_advisory_xact_lock(hashtextextended('lyceum school ' || $1, 0))`

// worthAnalysis is how many rows make what the planner knows of a table stale.
const worthAnalysis = 10_000

// Load adds records by COPY, in one transaction on a connection of its own, for
// which the limits in time of the pool do not hold.
func (s *Store) Load(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.Load) error) error {
	if err := s.outside(ctx, id); err != nil {
		return err
	}
	return s.loadApart(ctx, id, fn)
}

// LoadNew adds a school and its records, as Load does.
func (s *Store) LoadNew(ctx context.Context, made school.School, fn func(ctx context.Context, l ports.Load) error) error {
	if err := pgdb.NotInside(ctx); err != nil {
		return err
	}
	return s.loadApart(ctx, made.State().ID, func(ctx context.Context, l ports.Load) error {
		c := l.(*loading).session
		if _, err := c.Exec(ctx, lockSchoolName, made.State().Name); err != nil {
			return loadError(ctx, err)
		}
		if err := (schools{c}).Add(ctx, made); err != nil {
			return loadError(ctx, err)
		}
		return fn(ctx, l)
	})
}

// loadApart runs a Load on a connection of its own.
func (s *Store) loadApart(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.Load) error) error {
	conn := s.db.OpenBulk()
	err := s.loadOn(ctx, conn, id, fn)
	return errors.Join(err, conn.Close())
}

func (s *Store) loadOn(
	ctx context.Context, conn *sqlx.DB, id school.ID, fn func(ctx context.Context, l ports.Load) error,
) error {
	tx, err := conn.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return loadError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // after the end this does nothing
	for _, setting := range []string{uncounted, pgdb.AverageSchool} {
		if _, err := tx.ExecContext(ctx, setting); err != nil {
			return loadError(ctx, err)
		}
	}
	l := newLoading(s, id, tx)
	err = errors.Join(fn(pgdb.WithinTx(ctx), l), l.failed)
	if lost := l.Conflicted(); lost != nil { // it cannot be run again
		return lost
	}
	if err != nil {
		return err
	}
	if err := l.settle(ctx); err != nil {
		return loadError(ctx, err)
	}
	if err := tx.Commit(); err != nil {
		return loadError(ctx, err)
	}
	l.analyze(ctx, conn)
	l.NotifyAdded()
	return nil
}

// analyze tells the planner of what a large load has brought, kept beside the
// records included, and which pages all can see, so that an index alone answers.
// The server would do it later: until then the planner takes a school of a
// million rows for one of a few hundred, so what fails here is not an error.
func (l *loading) analyze(ctx context.Context, conn *sqlx.DB) {
	total := 0
	for _, n := range l.rows {
		total += n
	}
	if total < worthAnalysis {
		return
	}
	tables := append(slices.Collect(maps.Keys(l.rows)), "course_analytics_rows", "quiz_scores")
	for _, table := range tables {
		_, _ = conn.ExecContext(ctx, "VACUUM (ANALYZE) "+pq.QuoteIdentifier(table))
	}
}

// settling returns the statements that derive all that follows from what a load has
// added.
func settling() []string {
	statements := []string{unlooped}
	for _, d := range derivations {
		statements = append(statements, d.load...)
	}
	return statements
}

// settle derives all that follows from what the load has added.
func (l *loading) settle(ctx context.Context) error {
	for _, statement := range settling() {
		if _, err := l.tx.ExecContext(ctx, statement, l.SchoolID); err != nil {
			return err
		}
	}
	return l.endFeed(ctx)
}

// loadError is translate for what cannot be run again.
func loadError(ctx context.Context, err error) error {
	if pq.As(err, pqerror.UniqueViolation) != nil {
		return fmt.Errorf("%w: %v", ports.ErrKnown, err) //lint:ignore errorlint the driver's error is the store's own affair
	}
	err = pgdb.Translate(ctx, err)
	var lost *pgdb.ConflictError
	if errors.As(err, &lost) {
		return pgdb.Unavailable(lost.Cause)
	}
	return err
}
