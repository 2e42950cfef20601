package postgres_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/quiz"
)

// learned gives 3,000 people of a school an attempt at a course, with a completion of each of two
// activities, and an attempt at a quiz with one answer. The foreign keys are not checked, so that the
// records that they refer to need not exist.
const learned = `
	SET session_replication_role = replica;
	INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, started_at)
	SELECT school_id, id, id, '{course}', 1, 1, now() FROM (SELECT * FROM people ORDER BY id LIMIT 3000) p;
	INSERT INTO activities (school_id, id, course_id, key, position, title, title_fold, kind, seconds, created_at, updated_at)
	SELECT '{school}', gen_random_uuid(), '{course}', n, n, n, n, 'text', 0, now(), now() FROM generate_series(1, 4) n;
	INSERT INTO completions (school_id, attempt_id, activity_id, person_id, course_id, course_number, completed_at)
	SELECT t.school_id, t.id, a.id, t.person_id, t.course_id, 1, now() FROM course_attempts t, activities a WHERE a.position < 3;
	INSERT INTO quiz_questions (school_id, quiz_id, id, key, number, text, text_fold, choices, correct)
	SELECT '{school}', '{quiz}', gen_random_uuid(), n, n, n, n, '{a}', '{t}' FROM generate_series(1, 3) n;
	INSERT INTO quiz_attempts (school_id, id, person_id, course_id, attempt_id, course_number, activity_id, quiz_id,
		number, answered, correct, total, last_answered_at, started_at)
	SELECT school_id, id, person_id, course_id, id, 1, id, '{quiz}', 1, 2, 2, 2, now(), now() FROM course_attempts;
	INSERT INTO quiz_answers (school_id, quiz_attempt_id, question_id, person_id, course_id, course_number,
		activity_id, quiz_id, number, total, response, response_fold, correct, answered_at)
	SELECT r.school_id, r.id, n.id, r.person_id, r.course_id, 1, r.activity_id, r.quiz_id, 1, 2, '', '', true, now()
	FROM quiz_attempts r, quiz_questions n WHERE n.number = 1;
	SET session_replication_role = origin`

var comparisons = regexp.MustCompile(`"Rows Removed by Join Filter": \d{5,}`)

// The database has no statistics about a new school. A change of a course structure still compares no
// row of one table with each row of another.
func TestStructureChangeIsNotQuadratic(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	_, courses := class(t, s, id, 1, 1)
	about := quiz.ID{UUID: uuid.New()}
	_, err := db.ExecContext(t.Context(), populous, id.UUID, 3000)
	is.NoErr(err)
	execute(t, db, strings.NewReplacer("{school}", id.String(), "{course}", courses[0].String(), "{quiz}", about.String()).Replace(learned))
	for statement, args := range postgres.StructureSQL(id, courses[0], []int64{0, 2500, 5000, 7500, 10000}, about) {
		var plan string
		is.NoErr(db.QueryRowContext(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+statement, args...).Scan(&plan))
		if comparisons.MatchString(plan) {
			t.Error(plan)
		}
	}
	is.Equal(count(t, db, `SELECT count(*) FROM course_attempts WHERE progress = 5000`), 3000)
	is.Equal(count(t, db, `SELECT count(*) FROM quiz_attempts WHERE (answered, correct, total) = (1, 1, 3)`), 3000)
}
