package postgres

import (
	"context"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

var _ ports.QuizAttemptRepo = quizAttemptRepo{}

type quizAttemptRepo struct{ *session }

// addQuizAttempt adds a quiz attempt with its answers and its score.
var addQuizAttempt = `
	WITH run AS (
		INSERT INTO quiz_attempts (` + quizAttemptTable.names() + `)
		VALUES ($1, ` + quizAttemptTable.parameters(10) + `)
		RETURNING *
	)` + saveAnswers + saveScore

const (
	// saveQuizAttempt updates the columns of the score, because the other columns of a quiz attempt
	// never change.
	saveQuizAttempt = `
		WITH run AS (
			UPDATE quiz_attempts SET answered = $10, correct = $11, total = $12, last_answered_at = $13
			WHERE school_id = $1 AND id = $2
			RETURNING *
		), dropped AS (
			DELETE FROM quiz_answers
			WHERE school_id = $1 AND quiz_attempt_id = $2 AND question_id <> ALL ($3::uuid[])
		)` + saveAnswers + saveScore
	// saveAnswers is the part of a statement that saves the answers of the quiz attempt in the CTE
	// run. It writes only new and changed answers, because an update costs as much as an insertion
	// even if it changes nothing.
	saveAnswers = `, kept AS (
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
	// saveScore is the part of a statement that saves the score of the quiz attempt in the CTE run.
	// It updates an existing row of quiz_scores with UPDATE, because INSERT with ON CONFLICT would
	// consume an ID of the sequence each time.
	saveScore = `, updated AS (
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
	// Rows are locked in the order of their IDs, attempts before scores, as in a reconciliation.
	deleteQuizAttemptsOf = `
		WITH locked AS MATERIALIZED (
			SELECT id, attempt_id, activity_id, number FROM quiz_attempts WHERE school_id = $1 AND id = ANY (ARRAY (
				SELECT id FROM quiz_attempts WHERE school_id = $1 AND person_id = $2 ORDER BY started_at, number LIMIT $3
			)) ORDER BY id FOR UPDATE
		), answers AS (
			DELETE FROM quiz_answers WHERE school_id = $1 AND quiz_attempt_id IN (SELECT id FROM locked)
		), scored AS MATERIALIZED (
			SELECT id FROM quiz_scores WHERE school_id = $1 AND id = ANY (ARRAY (
				SELECT s.id FROM locked l CROSS JOIN LATERAL (
					SELECT id FROM quiz_scores WHERE school_id = $1 AND attempt_id = l.attempt_id AND activity_id = l.activity_id
						AND number = l.number LIMIT 1
				) s
			)) ORDER BY id FOR UPDATE
		), scores AS (
			DELETE FROM quiz_scores WHERE school_id = $1 AND id IN (SELECT id FROM scored)
		)
		DELETE FROM quiz_attempts WHERE school_id = $1 AND id IN (SELECT id FROM locked)`
)

// uncompleted selects, for the quiz attempts at the quizzes $2, the activities that are not
// completed although completion.ByAnswers is true, and their course attempts.
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

// openQuizAttempts selects the people and courses of those quiz attempts at the quizzes $2 whose
// activity is not completed.
const openQuizAttempts = `
	SELECT DISTINCT r.person_id, r.course_id FROM quiz_attempts r
	WHERE r.school_id = $1 AND r.quiz_id = ANY ($2::uuid[]) AND NOT EXISTS (
		SELECT FROM completions k
		WHERE k.school_id = $1 AND k.attempt_id = r.attempt_id AND k.activity_id = r.activity_id
	)`

// Open implements ports.QuizAttemptRepo.
func (r quizAttemptRepo) Open(ctx context.Context, quizzes []quiz.ID) ([]enrollment.PersonCourse, error) {
	type pairRow struct {
		Person uuid.UUID `db:"person_id"`
		Course uuid.UUID `db:"course_id"`
	}
	convert := func(row pairRow) (enrollment.PersonCourse, error) {
		return enrollment.PersonCourse{Person: person.ID{UUID: row.Person}, Course: course.ID{UUID: row.Course}}, nil
	}
	return getAll(ctx, r.session, convert, openQuizAttempts, r.SchoolID, idArray(quizzes))
}

// Uncompleted implements ports.QuizAttemptRepo.
func (r quizAttemptRepo) Uncompleted(ctx context.Context, quizzes []quiz.ID) ([]ports.AnsweredQuiz, error) {
	type answeredRow struct {
		Activity uuid.UUID `db:"activity_id"`
		attemptRow
	}
	convert := func(row answeredRow) (ports.AnsweredQuiz, error) {
		a, err := row.attempt()
		return ports.AnsweredQuiz{Attempt: a, Activity: activity.ID{UUID: row.Activity}}, err
	}
	return getAll(ctx, r.session, convert, uncompleted, r.SchoolID, idArray(quizzes))
}

// Latest implements ports.QuizAttemptRepo.
func (r quizAttemptRepo) Latest(ctx context.Context, in attempt.ID, of activity.ID) (quizattempt.Attempt, error) {
	return r.latestQuizAttempt(ctx, in, of)
}

// Add implements ports.QuizAttemptRepo.
func (r quizAttemptRepo) Add(ctx context.Context, a quizattempt.Attempt) error {
	s := a.State()
	_, err := r.count(ctx, addQuizAttempt, append(r.args(s), quizAttemptTable.args(r.SchoolID, s)[1:]...))
	return err
}

// Save implements ports.QuizAttemptRepo.
func (r quizAttemptRepo) Save(ctx context.Context, a quizattempt.Attempt) error {
	s := a.State()
	args := append(r.args(s), s.Score.Answered, s.Score.Correct, s.Score.Total, s.Score.LastAnsweredAt)
	n, err := r.count(ctx, saveQuizAttempt, args)
	if err == nil && n == 0 {
		return fault.RecordNotFound()
	}
	return err
}

// count runs a statement that returns the number of written quiz attempts.
func (r quizAttemptRepo) count(ctx context.Context, statement string, args []any) (n int, err error) {
	err = r.GetRow(ctx, &n, statement, args...)
	return n, err
}

// args returns the parameters $1 to $9 of the statements that save a quiz attempt: the school, the
// ID and the arrays of the answers.
func (r quizAttemptRepo) args(s quizattempt.State) []any {
	return append([]any{r.SchoolID, s.ID.UUID}, quizAnswerTable.arrays(r.SchoolID, attemptAnswers(s))[1:8]...)
}

// DeleteByPerson implements ports.QuizAttemptRepo.
func (r quizAttemptRepo) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	return r.Exec(ctx, deleteQuizAttemptsOf, r.SchoolID, p.UUID, limit)
}
