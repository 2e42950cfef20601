package postgres

import (
	"context"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/derived"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/attempt"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
)

var _ ports.Reconciler = reconciler{}

type reconciler struct{ *session }

// These statements lock the rows. A second statement reads what the rows are compared with, and
// sees everything that was committed before the locks.
var (
	lockAttempts = `SELECT ` + attemptColumns + ` FROM course_attempts r
		WHERE r.school_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3 FOR UPDATE`
	lockQuizAttempts = `SELECT ` + quizAttemptColumns + ` FROM quiz_attempts r
		WHERE r.school_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3 FOR UPDATE`
)

var askedQuestions = `SELECT r.quiz_id, r.id FROM ` +
	pgdb.ByKey("quiz_questions", "r.quiz_id, r.id, r.archived", "quiz_id", "$2::uuid[]", "OFFSET 0") + ` WHERE NOT r.archived`

// AttemptsForUpdate implements ports.Reconciler.
func (r reconciler) AttemptsForUpdate(ctx context.Context, after attempt.ID, n int) ([]reconcile.AttemptCheck, error) {
	var rows []attemptRow
	if err := r.AllKeyed(ctx, n, &rows, lockAttempts, r.SchoolID, after.UUID, n); err != nil {
		return nil, err
	}
	ids := make([]attempt.ID, len(rows))
	for i, row := range rows {
		ids[i] = attempt.ID{UUID: row.ID}
	}
	tallies, err := r.tallies(ctx, ids)
	if err != nil {
		return nil, err
	}
	return convertAll(rows, func(row attemptRow) (reconcile.AttemptCheck, error) {
		a, err := row.attempt()
		return reconcile.AttemptCheck{Attempt: a, Tally: tallies[a.State().ID]}, err
	})
}

// QuizAttemptsForUpdate implements ports.Reconciler.
func (r reconciler) QuizAttemptsForUpdate(ctx context.Context, after quizattempt.ID, n int) ([]reconcile.QuizAttemptCheck, error) {
	var rows []quizAttemptRow
	if err := r.AllKeyed(ctx, n, &rows, lockQuizAttempts, r.SchoolID, after.UUID, n); err != nil {
		return nil, err
	}
	attempts, err := r.restore(ctx, rows)
	if err != nil {
		return nil, err
	}
	quizzes := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		quizzes[i] = row.Quiz
	}
	var questions []struct {
		Quiz uuid.UUID `db:"quiz_id"`
		ID   uuid.UUID `db:"id"`
	}
	if err := r.AllKeyed(ctx, len(rows), &questions, askedQuestions, r.SchoolID, idArray(quizzes)); err != nil {
		return nil, err
	}
	asked := map[uuid.UUID]quiz.ActiveQuestions{}
	for _, q := range questions {
		if asked[q.Quiz] == nil {
			asked[q.Quiz] = quiz.ActiveQuestions{}
		}
		asked[q.Quiz][quiz.QuestionID{UUID: q.ID}] = true
	}
	checks := make([]reconcile.QuizAttemptCheck, len(rows))
	for i, row := range rows {
		checks[i] = reconcile.QuizAttemptCheck{Attempt: attempts[i], ActiveQuestions: asked[row.Quiz]}
	}
	return checks, nil
}

// RecalculateDerived implements ports.Reconciler.
func (r reconciler) RecalculateDerived(ctx context.Context) ([]reconcile.Discrepancy, error) {
	return derived.Recalculate(ctx, r.Session)
}
