package usecase

import (
	"context"
	"errors"

	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// errDryRun rolls back the transaction of a dry run.
var errDryRun = errors.New("app: the dry run has ended")

// SharedTx is a transaction that several use cases share.
type SharedTx struct {
	tx        ports.Tx
	hasDryRun bool
}

// HasDryRun reports whether a use case of the transaction was a dry run. The transaction must then
// be rolled back.
func (s *SharedTx) HasDryRun() bool { return s.hasDryRun }

// InTx runs fn in a transaction of a's own, or in the transaction that a shares. If a is in dry-run
// mode, InTx rolls its own transaction back, or marks the shared one for rollback. It returns a
// Forbidden fault if a is a learner whose permissions have not been checked, and ErrRoleEnded if a
// is a person of the staff whose role has ended before the commit. It returns NotFound if a has been
// removed from the course that a must instruct, and BadCredentials if the session of a ended before
// the transaction. Every use case that has an actor uses InTx or InLongTx.
//
// An error of a transaction of a's own that is not a refusal is wrapped in a ports.NotSavedError if
// the transaction ended before its commit.
func (d Deps) InTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
	return runTx(ctx, a, d.Store.InTx, fn)
}

// InLongTx is like InTx, for transactions that change very many records.
func (d Deps) InLongTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
	return runTx(ctx, a, d.Store.InLongTx, fn)
}

func runTx(
	ctx context.Context, a Actor,
	run func(ctx context.Context, s school.ID, fn func(ctx context.Context, tx ports.Tx) error) error,
	fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if err := a.check(); err != nil {
		return err
	}
	if a.shared != nil {
		a.shared.hasDryRun = a.shared.hasDryRun || a.dryRun
		return fn(ctx, a.shared.tx)
	}
	ctx = withOrigin(ctx, a)
	commits := false // whether the store may have begun the commit
	err := run(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		commits = false // a store runs a transaction again only if it has saved nothing
		// Before fn, because fn can end the session itself.
		if err := a.CheckSession(ctx, tx); err != nil {
			return err
		}
		if err := fn(ctx, tx); err != nil {
			return err
		}
		// After fn, because the role can end while fn waits for a lock.
		if err := a.checkRole(ctx, tx); err != nil {
			return err
		}
		if a.dryRun {
			return errDryRun
		}
		commits = true
		return nil
	})
	switch {
	case err == nil || errors.Is(err, errDryRun):
		return nil
	case !commits && !fault.IsRefusal(err):
		return &ports.NotSavedError{Err: err}
	}
	return err
}
