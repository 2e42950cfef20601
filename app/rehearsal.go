package app

import (
	"context"
	"errors"

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
	if a.joined != nil {
		a.joined.spoilt = a.joined.spoilt || a.rehearses
		return fn(ctx, a.joined.tx)
	}
	if !a.rehearses {
		return d.store.InTx(ctx, a.school, fn)
	}
	err := d.store.InTx(ctx, a.school, func(ctx context.Context, tx ports.Tx) error {
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
