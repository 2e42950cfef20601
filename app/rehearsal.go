package app

import (
	"context"
	"errors"

	"lyceum/domain/school"
	"lyceum/ports"
)

// errRehearsed drops the transaction of a rehearsal.
var errRehearsed = errors.New("app: the rehearsal is over")

// joined is a transaction that several use cases have in common.
type joined struct {
	tx     ports.Tx
	spoilt bool // something was only rehearsed in it, so that it must be dropped
}

// inTx runs fn as a transaction on behalf of a, or within the one that a has
// joined. When a only rehearses, what fn has written is dropped. Every use case
// that an actor has goes through here.
func (d deps) inTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
	return d.transact(ctx, a, d.store.InTx, fn)
}

// inLongTx is inTx for what touches very many records.
func (d deps) inLongTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
	return d.transact(ctx, a, d.store.InLongTx, fn)
}

func (d deps) transact(
	ctx context.Context, a Actor,
	run func(ctx context.Context, s school.ID, fn func(ctx context.Context, tx ports.Tx) error) error,
	fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if a.joined != nil {
		a.joined.spoilt = a.joined.spoilt || a.rehearses
		return fn(ctx, a.joined.tx)
	}
	if !a.rehearses {
		return run(ctx, a.school, fn)
	}
	err := run(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}
