package methods

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Transactions tests Store.InTx except for locks.
func Transactions(t *testing.T, b fixture.Backend) {
	t.Run("All writes are committed together if fn returns nil", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		is.NoErr(w.Try(p.Run))
		is.Equal(fixture.Diff(w.All(), p.After), "")
	})

	t.Run("All writes are rolled back if fn returns an error, and InTx returns the error", func(t *testing.T) {
		for _, want := range []error{fixture.ErrDropped, fault.Forbiddenf("no")} {
			t.Run(want.Error(), func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				p := fixture.NewScenario(w.Tenant)
				err := w.Try(func(ctx context.Context, tx ports.Tx) error {
					if err := p.Run(ctx, tx); err != nil {
						return err
					}
					return want
				})
				is.True(errors.Is(err, want))
				is.Equal(fixture.Diff(w.All(), p.Before), "")
			})
		}
	})

	t.Run("If fn returns ErrChanged, its writes are rolled back and it runs again, at most MaxTries times", func(t *testing.T) {
		for changes, kept := range map[int]bool{1: true, ports.MaxTries - 1: true, ports.MaxTries: false} {
			is, w := is.New(t), fixture.NewWorld(t, b)
			p, runs := fixture.NewScenario(w.Tenant), 0
			err := w.Try(func(ctx context.Context, tx ports.Tx) error {
				runs++
				if err := p.Run(ctx, tx); err != nil {
					return err
				}
				if runs <= changes {
					return fmt.Errorf("run %d: %w", runs, ports.ErrChanged)
				}
				return nil
			})
			is.Equal(runs, min(changes+1, ports.MaxTries))
			is.Equal(err == nil, kept)
			is.Equal(fault.Is(err, fault.Unavailable), !kept)
			want := p.Before
			if kept {
				want = p.After
			}
			is.Equal(fixture.Diff(w.All(), want), "")
		}
	})

	t.Run("All writes are rolled back if fn panics, and InTx panics with the same value", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		value := &struct{ name string }{"thrown by the test"}
		thrown := fixture.Recovered(func() {
			_ = w.Try(func(ctx context.Context, tx ports.Tx) error {
				if err := p.Run(ctx, tx); err != nil {
					return err
				}
				panic(value)
			})
		})
		is.Equal(thrown, any(value)) // the panic value is unchanged
		is.Equal(fixture.Diff(w.All(), p.Before), "")
		is.NoErr(w.Try(p.Run)) // the store remains usable
		is.Equal(fixture.Diff(w.All(), p.After), "")
	})

	t.Run("A transaction that writes nothing changes nothing", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		is.NoErr(w.Try(func(context.Context, ports.Tx) error { return nil }))
		is.Equal(fixture.Diff(w.All(), p.Before), "")
	})

	t.Run("Reads in the transaction see its earlier writes", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		w.Do(fixture.NewScenario(w.Tenant).RunAndCheck)
	})

	t.Run("No write is visible outside before the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		var during fixture.Everything
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := p.Run(ctx, tx); err != nil {
				return err
			}
			during = w.All()
			return nil
		})
		is.Equal(fixture.Diff(during, p.Before), "")
		is.Equal(fixture.Diff(w.All(), p.After), "")
	})

	t.Run("A nested transaction is an error", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		for name, id := range map[string]school.ID{"of the same school": w.ID, "of another school": w.OtherTenant.ID} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				entered := false
				err := w.Try(func(ctx context.Context, tx ports.Tx) error {
					if err := p.Run(ctx, tx); err != nil {
						return err
					}
					ctx, cancel := context.WithTimeout(ctx, fixture.LockTimeout)
					defer cancel()
					return w.Store.InTx(ctx, id, func(context.Context, ports.Tx) error {
						entered = true
						return nil
					})
				})
				is.True(err != nil)
				is.True(!errors.Is(err, context.DeadlineExceeded)) // it fails without waiting
				is.True(!entered)
			})
		}
		is.Equal(fixture.Diff(w.All(), p.Before), "")
	})

	t.Run("A failed nested transaction does not affect the outer one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		var refusal error
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error {
			inner, cancel := context.WithTimeout(ctx, fixture.LockTimeout)
			defer cancel()
			refusal = w.Store.InTx(inner, w.ID, func(context.Context, ports.Tx) error { return nil })
			return p.Run(ctx, tx)
		}))
		is.True(refusal != nil)
		is.Equal(fixture.Diff(w.All(), p.After), "")
	})

	t.Run("An unknown school is NotFound", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		unknown := fixture.NewSchoolID()
		is.True(fixture.IsNotFound(w.Store.InTx(w.Context(), unknown, func(context.Context, ports.Tx) error { return nil })))
		is.True(fixture.IsNotFound(w.Store.InTx(w.Context(), unknown, func(ctx context.Context, tx ports.Tx) error {
			return tx.Categories.Add(ctx, category.Restore(w.NewCategory("Design")))
		})))
	})

	t.Run("A transaction reads the school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		var got school.School
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.School.Get(ctx)
			return err
		})
		is.Equal(fixture.Diff(got.State(), w.All().School), "")
	})
}
