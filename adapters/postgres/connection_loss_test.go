package postgres_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// If the machine of a server disappears in the middle of a transaction, its locks are
// released when the database closes the connection, and another server continues.
func TestLocksOfVanishedServerAreReleased(t *testing.T) {
	for name, inTx := range map[string]func(*postgres.Store, school.ID, func(context.Context, ports.Tx) error) error{
		"in a transaction": func(s *postgres.Store, id school.ID, fn func(context.Context, ports.Tx) error) error {
			return s.InTx(t.Context(), id, fn)
		},
		"in a long transaction": func(s *postgres.Store, id school.ID, fn func(context.Context, ports.Tx) error) error {
			return s.InLongTx(t.Context(), id, fn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			dsn := freshDSN(t)
			survivor := openStore(t, dsn)
			id, cat := newSchool(t, survivor), newCategory("Art")
			within(t, survivor, id, func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, cat) })
			proxy := newProxy(t, dsn)
			vanishing := openStore(t, proxy.dsn+" idle_in_transaction_session_timeout=300")
			lock := func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Categories.GetForUpdate(ctx, cat.State().ID)
				return err
			}

			locked, back, ended := make(chan struct{}), make(chan struct{}), make(chan error)
			go func() {
				ended <- inTx(vanishing, id, func(ctx context.Context, tx ports.Tx) error {
					if err := lock(ctx, tx); err != nil {
						return err
					}
					close(locked)
					<-back
					return nil
				})
			}()
			<-locked
			proxy.silent.Store(true)
			is.NoErr(survivor.InTx(t.Context(), id, lock)) // waits at most for its statement timeout
			proxy.silent.Store(false)
			close(back)
			is.True(fault.Is(<-ended, fault.Unavailable)) // the transaction was rolled back
			within(t, vanishing, id, lock)
		})
	}
}
