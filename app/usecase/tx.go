package usecase

import (
	"context"
	"errors"

	"lyceum/domain/school"
	"lyceum/ports"
)

// errDryRun rolls back the transaction of a dry run.
var errDryRun = errors.New("app: the dry run has ended")

// SharedTx is a transaction that several use cases have in common.
type SharedTx struct {
	tx        ports.Tx
	hasDryRun bool
}

// HasDryRun reports whether a use case ran dry in the transaction, so that it must be
// rolled back.
func (s *SharedTx) HasDryRun() bool { return s.hasDryRun }

// InTx runs fn as a transaction on behalf of a, or within the one that a shares. When
// a is a dry run, what fn has written is rolled back. Every use case that an actor
// has goes through here.
func (d Deps) InTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
	return transact(ctx, a, d.Store.InTx, fn)
}

// InLongTx is InTx for what touches very many records.
func (d Deps) InLongTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
	return transact(ctx, a, d.Store.InLongTx, fn)
}

func transact(
	ctx context.Context, a Actor,
	run func(ctx context.Context, s school.ID, fn func(ctx context.Context, tx ports.Tx) error) error,
	fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if a.shared != nil {
		a.shared.hasDryRun = a.shared.hasDryRun || a.dryRun
		return fn(ctx, a.shared.tx)
	}
	if !a.dryRun {
		return run(ctx, a.school, fn)
	}
	err := run(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}
