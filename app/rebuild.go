package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/attempt"
	"lyceum/domain/ledger"
	"lyceum/domain/quizattempt"
	"lyceum/domain/school"
	"lyceum/ports"
)

// rebuildBatch is how many attempts one transaction of a rebuild holds.
const rebuildBatch = 1000

// Rebuild is the operator's check of the books: it works out anew all that is
// stored beside the facts, sets right what differs, and reports it.
type Rebuild struct{ deps usecase.Deps }

// School rebuilds one school and hands each difference to report. Requests may
// go on meanwhile.
func (u *Rebuild) School(ctx context.Context, id school.ID, report func(ledger.Difference)) error {
	err := audit(ctx, u.deps.Store, id, report,
		func(ctx context.Context, tx ports.Tx, behind attempt.ID) ([]ledger.AttemptAccount, error) {
			return tx.Ledger.Attempts(ctx, behind, rebuildBatch)
		},
		func(ctx context.Context, tx ports.Tx, a ledger.AttemptAccount) (attempt.ID, []ledger.Difference, error) {
			wrong := a.Audit()
			if len(wrong) == 0 {
				return a.Attempt.State().ID, nil, nil
			}
			return a.Attempt.State().ID, wrong, tx.Attempts.Save(ctx, a.Attempt)
		})
	if err != nil {
		return err
	}
	err = audit(ctx, u.deps.Store, id, report,
		func(ctx context.Context, tx ports.Tx, behind quizattempt.ID) ([]ledger.QuizAccount, error) {
			return tx.Ledger.QuizAttempts(ctx, behind, rebuildBatch)
		},
		func(ctx context.Context, tx ports.Tx, a ledger.QuizAccount) (quizattempt.ID, []ledger.Difference, error) {
			wrong := a.Audit()
			if len(wrong) == 0 {
				return a.Attempt.State().ID, nil, nil
			}
			return a.Attempt.State().ID, wrong, tx.QuizAttempts.Save(ctx, a.Attempt)
		})
	if err != nil {
		return err
	}
	// The scores follow from the quiz attempts, so the counts come last.
	var wrong []ledger.Difference
	err = u.deps.Store.InLongTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		var err error
		wrong, err = tx.Ledger.Recount(ctx)
		return err
	})
	if err == nil {
		tell(report, wrong)
	}
	return err
}

// audit goes through all accounts, a batch in a transaction. check sets one right
// and returns its id and what was wrong.
func audit[ID, A any](
	ctx context.Context, store ports.Store, id school.ID, report func(ledger.Difference),
	read func(ctx context.Context, tx ports.Tx, behind ID) ([]A, error),
	check func(ctx context.Context, tx ports.Tx, account A) (ID, []ledger.Difference, error),
) error {
	var behind ID
	for more := true; more; {
		var wrong []ledger.Difference
		next := behind
		err := store.InLongTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
			accounts, err := read(ctx, tx, behind)
			wrong, more = nil, len(accounts) == rebuildBatch
			for _, a := range accounts {
				last, found, errCheck := check(ctx, tx, a)
				if errCheck != nil {
					return errCheck
				}
				next, wrong = last, append(wrong, found...)
			}
			return err
		})
		if err != nil {
			return err
		}
		tell(report, wrong)
		behind = next
	}
	return nil
}

func tell(report func(ledger.Difference), wrong []ledger.Difference) {
	for _, d := range wrong {
		report(d)
	}
}
