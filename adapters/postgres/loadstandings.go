package postgres

// What a load has added to course analytics stands there as the triggers would
// have put it: enrollments with the attempts of their people, and attempts of who
// was enrolled before in the place of none.
const (
	// As whoever enrolls and leaves does, before they look.
	lockBegun = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (
				SELECT person_id FROM course_attempts WHERE` + ownFacts + `
			) ORDER BY p.id FOR NO KEY UPDATE
		)
		SELECT count(*) FROM locked`
	loadEnrolledStandings = `
		INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
		SELECT $1, e.person_id, e.course_id, coalesce(a.id, '00000000-0000-0000-0000-000000000000'), e.created_at
		FROM (
			SELECT person_id, course_id, created_at FROM enrollments WHERE` + ownFacts + `AND role = 'learner'
		) e
		LEFT JOIN course_attempts a ON a.school_id = $1 AND a.person_id = e.person_id AND a.course_id = e.course_id`
	loadBegunStandings = `
		WITH begun AS MATERIALIZED (
			SELECT a.id, a.person_id, a.course_id, e.created_at
			FROM (SELECT id, person_id, course_id FROM course_attempts WHERE` + ownFacts + `) a
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
		ON CONFLICT DO NOTHING` // an attempt that was only changed stands there
)
