package operator

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/attempt"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
)

// reconcileBatch is the maximum number of course attempts or quiz attempts that one transaction
// checks.
const reconcileBatch = 1000

// Reconcile recomputes derived data from source records and fixes discrepancies.
type Reconcile struct{ deps usecase.Deps }

// NewReconcile returns the use case with d.
func NewReconcile(d usecase.Deps) *Reconcile { return &Reconcile{deps: d} }

// School reconciles one school and calls report for each discrepancy that it has fixed. Requests
// may run concurrently.
func (u *Reconcile) School(ctx context.Context, id school.ID, report func(reconcile.Discrepancy)) error {
	err := reconcileRecords(ctx, u.deps.Store, id, report,
		func(ctx context.Context, tx ports.Tx, after attempt.ID) ([]reconcile.AttemptCheck, error) {
			return tx.Reconciler.AttemptsForUpdate(ctx, after, reconcileBatch)
		},
		func(c *reconcile.AttemptCheck) (attempt.ID, []reconcile.Discrepancy) {
			return c.Attempt.State().ID, c.Reconcile()
		},
		func(ctx context.Context, tx ports.Tx, c reconcile.AttemptCheck) error {
			return tx.Attempts.Save(ctx, c.Attempt)
		})
	if err != nil {
		return err
	}
	err = reconcileRecords(ctx, u.deps.Store, id, report,
		func(ctx context.Context, tx ports.Tx, after quizattempt.ID) ([]reconcile.QuizAttemptCheck, error) {
			return tx.Reconciler.QuizAttemptsForUpdate(ctx, after, reconcileBatch)
		},
		func(c *reconcile.QuizAttemptCheck) (quizattempt.ID, []reconcile.Discrepancy) {
			return c.Attempt.State().ID, c.Reconcile()
		},
		func(ctx context.Context, tx ports.Tx, c reconcile.QuizAttemptCheck) error {
			return tx.QuizAttempts.Save(ctx, c.Attempt)
		})
	if err != nil {
		return err
	}
	// Some counts are derived from the scores of quiz attempts, so they are reconciled last.
	var wrong []reconcile.Discrepancy
	err = u.deps.Store.InLongTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		var err error
		wrong, err = tx.Reconciler.RecalculateDerived(ctx)
		return err
	})
	if err == nil {
		reportAll(report, wrong)
	}
	return err
}

// reconcileRecords checks all records of a kind in batches, each in its own transaction, and saves
// the records with discrepancies. It calls report after the commit.
func reconcileRecords[ID, C any](
	ctx context.Context, store ports.Store, id school.ID, report func(reconcile.Discrepancy),
	read func(ctx context.Context, tx ports.Tx, after ID) ([]C, error),
	check func(*C) (ID, []reconcile.Discrepancy),
	save func(ctx context.Context, tx ports.Tx, c C) error,
) error {
	var after ID
	for more := true; more; {
		var wrong []reconcile.Discrepancy
		next := after
		err := store.InLongTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
			checks, err := read(ctx, tx, after)
			wrong, more = nil, len(checks) == reconcileBatch
			for _, c := range checks {
				last, found := check(&c)
				next, wrong = last, append(wrong, found...)
				if len(found) > 0 {
					if err := save(ctx, tx, c); err != nil {
						return err
					}
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		reportAll(report, wrong)
		after = next
	}
	return nil
}

func reportAll(report func(reconcile.Discrepancy), wrong []reconcile.Discrepancy) {
	for _, d := range wrong {
		report(d)
	}
}
