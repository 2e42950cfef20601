package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/attempt"
	"lyceum/domain/ledger"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

var _ ports.Ledger = ledgerRepo{}

type ledgerRepo struct{ *session }

// Rows are locked first and compared by a statement of their own, which sees all
// that those committed for whom the lock has waited.
const (
	lockAttempts = `SELECT ` + attemptColumns + ` FROM course_attempts
		WHERE school_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE`
	lockQuizAttempts = `SELECT ` + quizAttemptColumns + ` FROM quiz_attempts
		WHERE school_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE`
)

var askedQuestions = `SELECT r.quiz_id, r.id FROM ` +
	pgdb.ByKey("quiz_questions", "r.quiz_id, r.id, r.archived", "quiz_id", "$2::uuid[]", "OFFSET 0") + ` WHERE NOT r.archived`

// Attempts returns the next n course attempts with their tallies.
func (c ledgerRepo) Attempts(ctx context.Context, behind attempt.ID, n int) ([]ledger.AttemptAccount, error) {
	var rows []attemptRow
	if err := c.AllKeyed(ctx, n, &rows, lockAttempts, c.SchoolID, behind.UUID, n); err != nil {
		return nil, err
	}
	ids := make([]attempt.ID, len(rows))
	for i, r := range rows {
		ids[i] = attempt.ID{UUID: r.ID}
	}
	found, err := c.tallies(ctx, ids)
	if err != nil {
		return nil, err
	}
	accounts := make([]ledger.AttemptAccount, len(rows))
	for i, r := range rows {
		accounts[i] = ledger.AttemptAccount{Attempt: r.attempt(), Tally: found[ids[i]]}
	}
	return accounts, nil
}

// QuizAttempts returns the next n quiz attempts with their answers.
func (c ledgerRepo) QuizAttempts(ctx context.Context, behind quizattempt.ID, n int) ([]ledger.QuizAccount, error) {
	var rows []quizAttemptRow
	if err := c.AllKeyed(ctx, n, &rows, lockQuizAttempts, c.SchoolID, behind.UUID, n); err != nil {
		return nil, err
	}
	attempts, err := c.restore(ctx, rows)
	if err != nil {
		return nil, err
	}
	quizzes := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		quizzes[i] = r.Quiz
	}
	var questions []struct {
		Quiz uuid.UUID `db:"quiz_id"`
		ID   uuid.UUID `db:"id"`
	}
	if err := c.AllKeyed(ctx, len(rows), &questions, askedQuestions, c.SchoolID, pq.Array(pgdb.IDStrings(quizzes))); err != nil {
		return nil, err
	}
	asked := map[uuid.UUID]quiz.Asked{}
	for _, q := range questions {
		if asked[q.Quiz] == nil {
			asked[q.Quiz] = quiz.Asked{}
		}
		asked[q.Quiz][quiz.QuestionID{UUID: q.ID}] = true
	}
	accounts := make([]ledger.QuizAccount, len(rows))
	for i, r := range rows {
		accounts[i] = ledger.QuizAccount{Attempt: attempts[i], Asked: asked[r.Quiz]}
	}
	return accounts, nil
}
