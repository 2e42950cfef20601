package postgres_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/matryer/is"
)

// lesson contains statements that add one row to each table of the catalog and of learning in a
// furnished school. $1 is the school, $2 the person, $3 the course, $4 the ID of every added row.
var lesson = []string{
	`INSERT INTO quizzes (school_id, id, name, name_fold, created_at, updated_at) VALUES ($1, $4, 'q', 'q', now(), now())`,
	`INSERT INTO quiz_questions (school_id, quiz_id, id, key, number, text, text_fold, choices, correct)
	VALUES ($1, $4, $4, 'why', 1, 'Why?', 'why?', '{a}', '{t}')`,
	`INSERT INTO assignments (school_id, id, title, title_fold, created_at, updated_at) VALUES ($1, $4, 'w', 'w', now(), now())`,
	`INSERT INTO activities (school_id, id, course_id, key, position, title, title_fold, kind, quiz_id, assignment_id, seconds, created_at, updated_at)
	VALUES ($1, $4, $3, 'a', 1, 'a', 'a', 'quiz', $4, $4, 0, now(), now())`,
	`INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, started_at) VALUES ($1, $4, $2, $3, 1, 0, now())`,
	`INSERT INTO completions (school_id, attempt_id, activity_id, completed_at) VALUES ($1, $4, $4, now())`,
	`INSERT INTO submissions (school_id, id, assignment_id, activity_id, course_id, person_id, attempt_id,
		file_name, media_type, file_size, created_at)
	VALUES ($1, $4, $4, $4, $3, $2, $4, 'f', 'text/plain', 0, now())`,
	`INSERT INTO quiz_attempts (school_id, id, person_id, course_id, attempt_id, course_number, activity_id, quiz_id,
		number, answered, correct, total, last_answered_at, started_at)
	VALUES ($1, $4, $2, $3, $4, 1, $4, $4, 1, 1, 1, 1, now(), now())`,
	`INSERT INTO quiz_answers (school_id, quiz_attempt_id, question_id, person_id, course_id, course_number, activity_id,
		quiz_id, number, total, response, response_fold, correct, answered_at)
	VALUES ($1, $4, $4, $2, $3, 1, $4, $4, 1, 1, 'a', 'a', true, now())`,
	`INSERT INTO quiz_scores (school_id, attempt_id, activity_id, person_id, course_id, course_number, quiz_id,
		number, answered, correct, total, last_answered_at)
	VALUES ($1, $4, $4, $2, $3, 1, $4, 1, 1, 1, 1, now())`,
	`INSERT INTO events (school_id, position, kind, person_id, activity_id, created_at)
	VALUES ($1, 1, 'learner_viewed_activity_events', $2, $4, now())`,
}

// teach adds a lesson to a furnished school and returns the ID of the added rows.
func teach(t *testing.T, db *sql.DB, f furnished) uuid.UUID {
	t.Helper()
	is := is.New(t)
	id := uuid.New()
	for _, statement := range lesson {
		// Each statement uses some of the values, and every parameter needs a type.
		_, err := db.ExecContext(t.Context(), `WITH v AS (SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid) `+statement,
			f.id.UUID, f.person, f.course, id)
		is.NoErr(err)
	}
	return id
}

// Even raw SQL cannot make a row of learner data refer to a row of another school.
func TestLearningReferencesStayWithinSchool(t *testing.T) {
	s, db := freshStore(t)
	ours, theirs := furnish(t, s, newSchool(t, s)), furnish(t, s, newSchool(t, s))
	teach(t, db, ours)
	lessonOfTheirs := teach(t, db, theirs)
	references := []struct {
		table, column string
		to            uuid.UUID
	}{
		{"activities", "assignment_id", lessonOfTheirs},
		{"activities", "course_id", theirs.course},
		{"activities", "quiz_id", lessonOfTheirs},
		{"completions", "activity_id", lessonOfTheirs},
		{"completions", "attempt_id", lessonOfTheirs},
		{"course_attempts", "course_id", theirs.course},
		{"course_attempts", "person_id", theirs.person},
		{"events", "activity_id", lessonOfTheirs},
		{"events", "person_id", theirs.person},
		{"quiz_answers", "question_id", lessonOfTheirs},
		{"quiz_answers", "quiz_attempt_id", lessonOfTheirs},
		{"quiz_answers", "quiz_id", lessonOfTheirs},
		{"quiz_attempts", "activity_id", lessonOfTheirs},
		{"quiz_attempts", "attempt_id", lessonOfTheirs},
		{"quiz_attempts", "course_id", theirs.course},
		{"quiz_attempts", "person_id", theirs.person},
		{"quiz_attempts", "quiz_id", lessonOfTheirs},
		{"quiz_questions", "quiz_id", lessonOfTheirs},
		{"quiz_scores", "attempt_id", lessonOfTheirs},
		{"submissions", "activity_id", lessonOfTheirs},
		{"submissions", "assignment_id", lessonOfTheirs},
		{"submissions", "attempt_id", lessonOfTheirs},
		{"submissions", "course_id", theirs.course},
		{"submissions", "person_id", theirs.person},
	}
	var named, kept []string
	for _, r := range references {
		named = append(named, r.table+"."+r.column)
	}
	is := is.New(t)
	is.NoErr(db.QueryRowContext(t.Context(), `
		SELECT array_agg(DISTINCT c.conrelid::regclass || '.' || a.attname)
		FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
		WHERE c.contype = 'f' AND a.attname <> 'school_id' AND c.conrelid::regclass::text = ANY ($1)`,
		pq.Array([]string{
			"activities", "completions", "course_attempts", "events", "quiz_answers", "quiz_attempts",
			"quiz_questions", "quiz_scores", "quizzes", "assignments", "submissions",
		}),
	).Scan(pq.Array(&kept)))
	slices.Sort(kept)
	is.Equal(kept, named) // the test covers every foreign key

	for _, r := range references {
		t.Run(r.table+"."+r.column, func(t *testing.T) {
			is := is.New(t)
			tx := begin(t, db)
			defer func() { is.NoErr(tx.Rollback()) }()
			// Without this, the trigger that forbids every change of an attempt would fail first.
			_, err := tx.ExecContext(t.Context(), `ALTER TABLE course_attempts DISABLE TRIGGER refuse_update`)
			is.NoErr(err)
			_, err = tx.ExecContext(t.Context(),
				fmt.Sprintf(`UPDATE %s SET %s = $2 WHERE school_id = $1`, r.table, r.column), ours.id.UUID, r.to)
			is.True(pq.As(err, pqerror.ForeignKeyViolation) != nil)
		})
	}
}

// The rows of course analytics are correct for any writer, even for raw SQL, whatever the order of
// its statements.
func TestAnalyticsRowsFollowRawSQL(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	furnish(t, s, newSchool(t, s))
	wrong := func() int {
		return count(t, db, `
			WITH due AS (
				SELECT e.school_id, e.person_id, e.course_id, e.created_at,
					coalesce(a.id, '00000000-0000-0000-0000-000000000000') AS attempt
				FROM enrollments e LEFT JOIN course_attempts a USING (school_id, person_id, course_id)
				WHERE e.role = 'learner'
			), kept AS (SELECT school_id, person_id, course_id, enrolled_at, attempt_or_none FROM course_analytics_rows)
			SELECT count(*) FROM ((TABLE due EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE due)) d`)
	}
	enroll := `INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
		SELECT school_id, gen_random_uuid(), p.id, c.id, 'learner', now(), now() FROM people p JOIN courses c USING (school_id)`
	attempt := `INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, started_at)
		SELECT school_id, gen_random_uuid(), p.id, c.id, n, 0, now() FROM people p JOIN courses c USING (school_id),
			generate_series(1, 2) n`
	is.Equal(count(t, db, `SELECT count(*) FROM course_analytics_rows`), 1) // the row of the only enrollment
	for _, step := range []struct {
		statement string
		rows      int
	}{
		{attempt, 2},
		{`DELETE FROM enrollments`, 0},
		{enroll, 2},
		{`DELETE FROM course_attempts WHERE number = 2`, 1},
		{`DELETE FROM course_attempts`, 1},
		{`DELETE FROM enrollments`, 0},
		{attempt, 0},
		{`DELETE FROM course_attempts`, 0},
	} {
		_, err := db.ExecContext(t.Context(), step.statement)
		is.NoErr(err)
		is.Equal(wrong(), 0)
		is.Equal(count(t, db, `SELECT count(*) FROM course_analytics_rows`), step.rows)
	}
}
