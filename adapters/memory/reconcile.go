package memory

import (
	"context"
	"fmt"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
)

var _ ports.Reconciler = reconciler{}

type reconciler struct{ tx *tx }

// AttemptsForUpdate implements ports.Reconciler.
func (r reconciler) AttemptsForUpdate(ctx context.Context, after attempt.ID, n int) ([]reconcile.AttemptCheck, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []reconcile.AttemptCheck
	for a := range s.attempts.table.ByID.After(after.UUID, n) {
		found = append(found, reconcile.AttemptCheck{
			Attempt: attempt.Restore(cloneAttempt(*a)), Tally: tally(s, a),
		})
	}
	return found, nil
}

// QuizAttemptsForUpdate implements ports.Reconciler.
func (r reconciler) QuizAttemptsForUpdate(ctx context.Context, after quizattempt.ID, n int) ([]reconcile.QuizAttemptCheck, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []reconcile.QuizAttemptCheck
	for q := range s.quizAttempts.table.ByID.After(after.UUID, n) {
		found = append(found, reconcile.QuizAttemptCheck{Attempt: quizattempt.Restore(q.State()), ActiveQuestions: s.quiz(q.Head.Quiz).ActiveQuestions()})
	}
	return found, nil
}

// RecalculateDerived implements ports.Reconciler.
func (r reconciler) RecalculateDerived(ctx context.Context) ([]reconcile.Discrepancy, error) {
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

// reconcileScores compares the quiz scores with the quiz attempts, fixes wrong scores and returns
// the discrepancies.
func (w *tx) reconcileScores() []reconcile.Discrepancy {
	s := w.state
	keys := ordered.NewTree(tables.CompareScoreKeys)
	for q := range s.quizAttempts.table.ByID.From(0) {
		keys.Set(tables.ScoreKeyOf(q.Head))
	}
	for r := range s.scores.table.ByID.From(0) {
		keys.Set(tables.ScoreKeyOf(r.Attempt.Head))
	}
	var wrong []reconcile.Discrepancy
	for _, p := range slices.Collect(ordered.From(keys, 0)) {
		old, had := s.scores.table.ByKey.Get(p)
		if !w.updateScore(p) {
			continue
		}
		next, has := s.scores.table.ByKey.Get(p)
		d := reconcile.Discrepancy{Record: fmt.Sprintf("%s %s:%s", analytics.ScoreType, p.Attempt, p.Activity), Value: "score"}
		if d.Stored, d.Expected = "none", "none"; had {
			d.Stored = old.String()
		}
		if has {
			d.Expected = next.String()
		}
		wrong = append(wrong, d)
	}
	return wrong
}
