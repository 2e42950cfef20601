package memory

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
)

var _ ports.Reconciler = reconciler{}

type reconciler struct{ tx *tx }

// AttemptsForUpdate implements ports.Reconciler.
func (r reconciler) AttemptsForUpdate(ctx context.Context, behind attempt.ID, n int) ([]reconcile.AttemptCheck, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []reconcile.AttemptCheck
	for a := range s.attempts.table.byID.After(behind.UUID, n) {
		found = append(found, reconcile.AttemptCheck{
			Attempt: attempt.Restore(cloneAttempt(*a)), Tally: tally(s, a),
		})
	}
	return found, nil
}

// QuizAttemptsForUpdate implements ports.Reconciler.
func (r reconciler) QuizAttemptsForUpdate(ctx context.Context, behind quizattempt.ID, n int) ([]reconcile.QuizAttemptCheck, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []reconcile.QuizAttemptCheck
	for q := range s.quizAttempts.table.ByID.After(behind.UUID, n) {
		found = append(found, reconcile.QuizAttemptCheck{Attempt: quizattempt.Restore(q.state()), ActiveQuestions: s.quiz(q.head.Quiz).ActiveQuestions()})
	}
	return found, nil
}

// RecalculateCounters implements ports.Reconciler.
func (r reconciler) RecalculateCounters(ctx context.Context) ([]reconcile.Discrepancy, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var wrong []reconcile.Discrepancy
	for _, counter := range []interface {
		recount(*state) ([]reconcile.Discrepancy, error)
	}{learnersOfCourse, membersOfGroup, coursesOfPerson, groupsOfPerson} {
		found, err := counter.recount(s)
		if err != nil {
			return nil, err
		}
		wrong = append(wrong, found...)
	}
	return append(wrong, r.tx.reconcileScores()...), nil
}
