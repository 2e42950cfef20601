package memory

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/ledger"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

var _ ports.Ledger = accounts{}

type accounts struct{ tx *tx }

func (r accounts) Attempts(ctx context.Context, behind attempt.ID, n int) ([]ledger.AttemptAccount, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []ledger.AttemptAccount
	for a := range s.attempts.table.byID.Behind(behind.UUID, n) {
		found = append(found, ledger.AttemptAccount{
			Attempt: attempt.Restore(cloneAttempt(*a)), Tally: tally(s, a),
		})
	}
	return found, nil
}

func (r accounts) QuizAttempts(ctx context.Context, behind quizattempt.ID, n int) ([]ledger.QuizAccount, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []ledger.QuizAccount
	for q := range s.quizAttempts.table.byID.Behind(behind.UUID, n) {
		found = append(found, ledger.QuizAccount{Attempt: quizattempt.Restore(q.state()), Asked: s.quiz(q.head.Quiz).Asked()})
	}
	return found, nil
}

func (r accounts) Recount(ctx context.Context) ([]ledger.Difference, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var wrong []ledger.Difference
	for _, recount := range []func() ([]ledger.Difference, error){
		s.recountCourses, s.recountGroups, s.recountPeople,
	} {
		found, err := recount()
		if err != nil {
			return nil, err
		}
		wrong = append(wrong, found...)
	}
	return append(wrong, r.tx.resettle()...), nil
}
