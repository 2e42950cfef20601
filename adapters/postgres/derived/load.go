package derived

import "lyceum/adapters/postgres/pgdb"

// ownRows is the condition that this transaction has inserted or updated the row.
const ownRows = ` school_id = $1 AND xmin = pg_current_xact_id()::xid `

// These statements count the rows of a load in the same way as the triggers. People are locked in
// the order of their IDs. If another transaction has locked a course or a group, its count is added
// as a delta instead.
const (
	// Without statistics about a new school, the planner assumes that the school has a few rows,
	// and would scan all people for each of a million enrollments.
	loadNestedLoopsOff = `SELECT set_config('enable_nestloop', 'off', true) WHERE $1::uuid IS NOT NULL`
	loadPeopleCounts   = `
		WITH own AS MATERIALIZED (
			SELECT person_id, sum(courses) AS courses, sum(groups) AS groups, sum(roles) AS roles
			FROM (
				SELECT person_id, 1 AS courses, 0 AS groups, 0 AS roles FROM enrollments
				WHERE` + ownRows + `AND role = 'learner'
				UNION ALL SELECT person_id, 0, 1, 0 FROM memberships WHERE` + ownRows + `AND role = 'member'
				UNION ALL SELECT person_id, 0, 0, 1 FROM partnerships WHERE` + ownRows + `
			) f GROUP BY person_id
		),
		locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (SELECT person_id FROM own)
			ORDER BY p.id FOR NO KEY UPDATE
		)
		UPDATE people p SET course_count = p.course_count + o.courses, group_count = p.group_count + o.groups,
			partnership_count = p.partnership_count + o.roles
		FROM own o WHERE p.school_id = $1 AND p.id = o.person_id AND` + pgdb.AfterLock
	loadCourseCounts = `
		WITH own AS MATERIALIZED (
			SELECT course_id AS id, count(*) AS n FROM enrollments WHERE` + ownRows + `AND role = 'learner' GROUP BY course_id
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
			SELECT group_id AS id, count(*) AS n FROM memberships WHERE` + ownRows + `AND role = 'member' GROUP BY group_id
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
			FROM quiz_attempts WHERE` + ownRows + `ORDER BY attempt_id, activity_id, number DESC
		) l
		ORDER BY came -- in the order of insertion, so that repeated imports of the same file assign the same IDs
		ON CONFLICT (school_id, attempt_id, activity_id) DO UPDATE SET
			number = excluded.number, answered = excluded.answered, correct = excluded.correct,
			total = excluded.total, last_answered_at = excluded.last_answered_at
		WHERE s.number <= excluded.number`
)

// LoadStatements returns a planner setting and the statements that compute derived data from the
// rows that the transaction of a bulk load has written; $1 is the school.
func LoadStatements() []string {
	statements := []string{loadNestedLoopsOff}
	for _, d := range derivations {
		statements = append(statements, d.load...)
	}
	return statements
}

// These statements write the rows of course analytics for a load in the same way as the triggers.
// New enrollments get rows with the attempts of their people. New attempts of people who were
// already enrolled get rows too, which replace the row without an attempt.
const (
	// Transactions that enroll or remove people take the same locks before they read.
	lockPeopleOfAttempts = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (
				SELECT person_id FROM course_attempts WHERE` + ownRows + `
			) ORDER BY p.id FOR NO KEY UPDATE
		)
		SELECT count(*) FROM locked`
	loadEnrollmentAnalytics = `
		INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
		SELECT $1, e.person_id, e.course_id, coalesce(a.id, '00000000-0000-0000-0000-000000000000'), e.created_at
		FROM (
			SELECT person_id, course_id, created_at FROM enrollments WHERE` + ownRows + `AND role = 'learner'
		) e
		LEFT JOIN course_attempts a ON a.school_id = $1 AND a.person_id = e.person_id AND a.course_id = e.course_id`
	loadAttemptAnalytics = `
		WITH begun AS MATERIALIZED (
			SELECT a.id, a.person_id, a.course_id, e.created_at
			FROM (SELECT id, person_id, course_id FROM course_attempts WHERE` + ownRows + `) a
			JOIN enrollments e ON e.school_id = $1 AND e.person_id = a.person_id AND e.course_id = a.course_id
				AND e.role = 'learner' AND e.xmin <> pg_current_xact_id()::xid
		),
		gone AS (
			DELETE FROM course_analytics_rows s USING begun b
			WHERE s.school_id = $1 AND s.person_id = b.person_id AND s.course_id = b.course_id
				AND s.attempt_or_none = '00000000-0000-0000-0000-000000000000'
		)
		INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
		SELECT $1, person_id, course_id, id, created_at FROM begun
		ON CONFLICT DO NOTHING` // an attempt that was only updated already has a row
)
