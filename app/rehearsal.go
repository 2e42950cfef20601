package app

import (
	"context"
	"errors"

	"lyceum/ports"
)

// errRehearsed drops the transaction of a rehearsal.
var errRehearsed = errors.New("app: the rehearsal is over")

// inTx runs fn as a transaction on behalf of a. When a only rehearses, what fn
// has written is dropped. Every use case that an actor has goes through here.
func (d deps) inTx(ctx context.Context, a Actor, fn func(ctx context.Context, tx ports.Tx) error) error {
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
