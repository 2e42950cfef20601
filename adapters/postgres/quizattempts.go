package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.QuizAttemptRepo = quizAttemptRepo{}

type quizAttemptRepo struct{ *session }

// The quiz attempt, its answers and the score that follows are one statement.
const (
	addQuizAttempt = `
		WITH run AS (
			INSERT INTO quiz_attempts (school_id, id, answered, correct, total, last_answered_at, person_id, course_id,
				attempt_id, course_number, activity_id, quiz_id, number, started_at)
			VALUES ($1, $2, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
			RETURNING *
		)` + keepAnswers + keepScore
	// What else a quiz attempt has never changes.
	saveQuizAttempt = `
		WITH run AS (
			UPDATE quiz_attempts SET answered = $10, correct = $11, total = $12, last_answered_at = $13
			WHERE school_id = $1 AND id = $2
			RETURNING *
		), dropped AS (
			DELETE FROM quiz_answers
			WHERE school_id = $1 AND quiz_attempt_id = $2 AND question_id <> ALL ($3::uuid[])
		)` + keepAnswers + keepScore
	// Answers that are as they were are left alone: to write one again costs as
	// much as to write a new one.
	keepAnswers = `, kept AS (
			INSERT INTO quiz_answers (school_id, quiz_attempt_id, question_id, person_id, course_id, course_number,
				activity_id, quiz_id, number, total, response, response_fold, correct, answered_at)
			SELECT run.school_id, run.id, g.question_id, run.person_id, run.course_id, run.course_number,
				run.activity_id, run.quiz_id, g.number, g.total, g.response, g.fold, g.correct, g.answered_at
			FROM run CROSS JOIN unnest($3::uuid[], $4::integer[], $5::integer[], $6::text[], $7::text[],
				$8::boolean[], $9::timestamptz[]) g (question_id, number, total, response, fold, correct, answered_at)
			WHERE NOT EXISTS (
				SELECT FROM quiz_answers o
				WHERE o.school_id = $1 AND o.quiz_attempt_id = $2 AND o.question_id = g.question_id
				AND (o.number, o.total, o.response, o.correct, o.answered_at)
					= (g.number, g.total, g.response, g.correct, g.answered_at)
			)
			ON CONFLICT (school_id, quiz_attempt_id, question_id) DO UPDATE SET
				number = excluded.number, total = excluded.total, response = excluded.response,
				response_fold = excluded.response_fold, correct = excluded.correct, answered_at = excluded.answered_at
		)`
	// A row that is there is changed and not inserted again, so that no id is taken
	// from the sequence for nothing.
	keepScore = `, later AS (
			UPDATE quiz_scores AS s SET
				number = run.number, answered = run.answered, correct = run.correct,
				total = run.total, last_answered_at = run.last_answered_at
			FROM run
			WHERE s.school_id = run.school_id AND s.attempt_id = run.attempt_id AND s.activity_id = run.activity_id
				AND s.number <= run.number
		), score AS (
			INSERT INTO quiz_scores (school_id, attempt_id, activity_id, person_id, course_id, course_number,
				quiz_id, number, answered, correct, total, last_answered_at)
			SELECT school_id, attempt_id, activity_id, person_id, course_id, course_number,
				quiz_id, number, answered, correct, total, last_answered_at
			FROM run
			WHERE NOT EXISTS (
				SELECT FROM quiz_scores AS s
				WHERE s.school_id = run.school_id AND s.attempt_id = run.attempt_id AND s.activity_id = run.activity_id
			)
		)
		SELECT count(*) FROM run`
	// By their ids, as who goes through all of them locks them, and the scores after
	// them likewise.
	removeQuizAttemptsOf = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM quiz_attempts WHERE school_id = $1 AND person_id = $2 ORDER BY id FOR UPDATE
		), answers AS (
			DELETE FROM quiz_answers WHERE school_id = $1 AND quiz_attempt_id IN (SELECT id FROM locked)
		), scored AS MATERIALIZED (
			SELECT id FROM quiz_scores WHERE school_id = $1 AND person_id = $2 AND` + afterLock + `ORDER BY id FOR UPDATE
		), scores AS (
			DELETE FROM quiz_scores WHERE school_id = $1 AND id IN (SELECT id FROM scored)
		)
		DELETE FROM quiz_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
	removeQuizAttemptsIn = `
		WITH locked AS MATERIALIZED (
			SELECT id FROM quiz_attempts WHERE school_id = $1 AND course_id = $2 ORDER BY id FOR UPDATE
		), answers AS (
			DELETE FROM quiz_answers WHERE school_id = $1 AND quiz_attempt_id IN (SELECT id FROM locked)
		), scores AS (
			DELETE FROM quiz_scores WHERE school_id = $1 AND course_id = $2
		)
		DELETE FROM quiz_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
)

// uncompleted applies completion.ByAnswers to all quiz attempts at the quizzes.
const uncompleted = `
	SELECT DISTINCT r.activity_id, t.id, t.person_id, t.course_id, t.number, t.progress, t.last_completed_at, t.started_at
	FROM quiz_attempts r
	JOIN activities a ON a.school_id = $1 AND a.id = r.activity_id AND a.archived_at IS NULL
	JOIN courses c ON c.school_id = $1 AND c.id = r.course_id
	JOIN course_attempts t ON t.school_id = $1 AND t.id = r.attempt_id
	WHERE r.school_id = $1 AND r.quiz_id = ANY ($2::uuid[]) AND r.total > 0 AND r.answered >= r.total
		AND NOT EXISTS (
			SELECT FROM completions k
			WHERE k.school_id = $1 AND k.attempt_id = r.attempt_id AND k.activity_id = r.activity_id
		)`

// openQuizAttempts is whose quiz attempts at the quizzes may become complete.
const openQuizAttempts = `
	SELECT DISTINCT r.person_id, r.course_id FROM quiz_attempts r
	WHERE r.school_id = $1 AND r.quiz_id = ANY ($2::uuid[]) AND NOT EXISTS (
		SELECT FROM completions k
		WHERE k.school_id = $1 AND k.attempt_id = r.attempt_id AND k.activity_id = r.activity_id
	)`

// Open implements ports.QuizAttemptRepo.
func (c quizAttemptRepo) Open(ctx context.Context, quizzes []quiz.ID) ([]enrollment.Pair, error) {
	var rows []struct {
		Person uuid.UUID `db:"person_id"`
		Course uuid.UUID `db:"course_id"`
	}
	if err := c.SelectRows(ctx, &rows, openQuizAttempts, c.SchoolID, pq.Array(pgdb.IDStrings(quizzes))); err != nil {
		return nil, err
	}
	found := make([]enrollment.Pair, len(rows))
	for i, r := range rows {
		found[i] = enrollment.Pair{Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}}
	}
	return found, nil
}

// Uncompleted implements ports.QuizAttemptRepo.
func (c quizAttemptRepo) Uncompleted(ctx context.Context, quizzes []quiz.ID) ([]ports.Answered, error) {
	var rows []struct {
		Activity uuid.UUID `db:"activity_id"`
		attemptRow
	}
	if err := c.SelectRows(ctx, &rows, uncompleted, c.SchoolID, pq.Array(pgdb.IDStrings(quizzes))); err != nil {
		return nil, err
	}
	found := make([]ports.Answered, len(rows))
	for i, r := range rows {
		found[i] = ports.Answered{Attempt: r.attempt(), Activity: activity.ID{UUID: r.Activity}}
	}
	return found, nil
}

// Latest returns the latest quiz attempt of an activity within a course attempt.
func (c quizAttemptRepo) Latest(ctx context.Context, in attempt.ID, of activity.ID) (quizattempt.Attempt, error) {
	var row quizAttemptRow
	if err := c.GetRow(ctx, &row, latestQuizAttempt, c.SchoolID, in.UUID, of.UUID); err != nil {
		return quizattempt.Attempt{}, pgdb.Missing(err)
	}
	found, err := c.restore(ctx, []quizAttemptRow{row})
	if err != nil {
		return quizattempt.Attempt{}, err
	}
	return found[0], nil
}

// Add keeps a new quiz attempt with its answers and the score.
func (c quizAttemptRepo) Add(ctx context.Context, a quizattempt.Attempt) error {
	s := a.State()
	args := append(c.args(s), s.Person.UUID, s.Course.UUID, s.CourseAttempt.UUID, s.CourseNumber, s.Activity.UUID,
		s.Quiz.UUID, s.Number, s.StartedAt)
	_, err := c.keep(ctx, addQuizAttempt, args)
	return err
}

// Save keeps a changed quiz attempt with its answers and the score.
func (c quizAttemptRepo) Save(ctx context.Context, a quizattempt.Attempt) error {
	n, err := c.keep(ctx, saveQuizAttempt, c.args(a.State()))
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}

// keep runs a statement that counts the quiz attempts kept.
func (c quizAttemptRepo) keep(ctx context.Context, statement string, args []any) (n int, err error) {
	err = c.GetRow(ctx, &n, statement, args...)
	return n, err
}

// args returns the school, the id, the answers and the score.
func (c quizAttemptRepo) args(s quizattempt.State) []any {
	n := len(s.Answers)
	questions, numbers, totals := make([]string, n), make([]int64, n), make([]int64, n)
	responses, folds, correct, at := make([]string, n), make([]string, n), make([]bool, n), make([]string, n)
	for i, g := range s.Answers {
		questions[i], numbers[i], totals[i] = g.Question.String(), int64(g.Position.Number), int64(g.Position.Total)
		responses[i], folds[i], correct[i], at[i] = g.Response, text.Fold(g.Response), g.Correct, pgdb.Instant(g.At)
	}
	return []any{
		c.SchoolID, s.ID.UUID,
		pq.Array(questions), pq.Array(numbers), pq.Array(totals), pq.Array(responses), pq.Array(folds),
		pq.Array(correct), pq.Array(at),
		s.Score.Answered, s.Score.Correct, s.Score.Total, s.Score.LastAnsweredAt,
	}
}

// RemoveOfPerson forgets all quiz attempts of a person.
func (c quizAttemptRepo) RemoveOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.Exec(ctx, removeQuizAttemptsOf, c.SchoolID, p.UUID)
	return err
}
