package storetest

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
)

// errDropped makes a transaction roll back.
var errDropped = errors.New("dropped by the test")

// transactions tests Store.InTx except for locks.
func transactions(t *testing.T, b Backend) {
	t.Run("All writes are committed together if fn returns nil", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		is.NoErr(w.try(p.run))
		is.Equal(diff(w.all(), p.after), "")
	})

	t.Run("All writes are rolled back if fn returns an error, and InTx returns the error", func(t *testing.T) {
		for _, want := range []error{errDropped, fault.Forbiddenf("no")} {
			t.Run(want.Error(), func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				p := newScenario(w.tenant)
				err := w.try(func(ctx context.Context, tx ports.Tx) error {
					if err := p.run(ctx, tx); err != nil {
						return err
					}
					return want
				})
				is.True(errors.Is(err, want))
				is.Equal(diff(w.all(), p.before), "")
			})
		}
	})

	t.Run("If fn returns ErrChanged, its writes are rolled back and it runs again, at most MaxTries times", func(t *testing.T) {
		for changes, kept := range map[int]bool{1: true, ports.MaxTries - 1: true, ports.MaxTries: false} {
			is, w := is.New(t), newWorld(t, b)
			p, runs := newScenario(w.tenant), 0
			err := w.try(func(ctx context.Context, tx ports.Tx) error {
				runs++
				if err := p.run(ctx, tx); err != nil {
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
			want := p.before
			if kept {
				want = p.after
			}
			is.Equal(diff(w.all(), want), "")
		}
	})

	t.Run("All writes are rolled back if fn panics, and InTx panics with the same value", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		value := &struct{ name string }{"thrown by the test"}
		thrown := recovered(func() {
			_ = w.try(func(ctx context.Context, tx ports.Tx) error {
				if err := p.run(ctx, tx); err != nil {
					return err
				}
				panic(value)
			})
		})
		is.Equal(thrown, any(value)) // the panic value is unchanged
		is.Equal(diff(w.all(), p.before), "")
		is.NoErr(w.try(p.run)) // the store remains usable
		is.Equal(diff(w.all(), p.after), "")
	})

	t.Run("A transaction that writes nothing changes nothing", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		is.NoErr(w.try(func(context.Context, ports.Tx) error { return nil }))
		is.Equal(diff(w.all(), p.before), "")
	})

	t.Run("Reads in the transaction see its earlier writes", func(t *testing.T) {
		w := newWorld(t, b)
		w.do(newScenario(w.tenant).runAndCheck)
	})

	t.Run("No write is visible outside before the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		var during everything
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := p.run(ctx, tx); err != nil {
				return err
			}
			during = w.all()
			return nil
		})
		is.Equal(diff(during, p.before), "")
		is.Equal(diff(w.all(), p.after), "")
	})

	t.Run("A nested transaction is an error", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		for name, id := range map[string]school.ID{"of the same school": w.id, "of another school": w.otherTenant.id} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				entered := false
				err := w.try(func(ctx context.Context, tx ports.Tx) error {
					if err := p.run(ctx, tx); err != nil {
						return err
					}
					ctx, cancel := context.WithTimeout(ctx, lockTimeout)
					defer cancel()
					return w.store.InTx(ctx, id, func(context.Context, ports.Tx) error {
						entered = true
						return nil
					})
				})
				is.True(err != nil)
				is.True(!errors.Is(err, context.DeadlineExceeded)) // it fails without waiting
				is.True(!entered)
			})
		}
		is.Equal(diff(w.all(), p.before), "")
	})

	t.Run("A failed nested transaction does not affect the outer one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		var refusal error
		is.NoErr(w.try(func(ctx context.Context, tx ports.Tx) error {
			inner, cancel := context.WithTimeout(ctx, lockTimeout)
			defer cancel()
			refusal = w.store.InTx(inner, w.id, func(context.Context, ports.Tx) error { return nil })
			return p.run(ctx, tx)
		}))
		is.True(refusal != nil)
		is.Equal(diff(w.all(), p.after), "")
	})

	t.Run("An unknown school is NotFound", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		unknown := newSchoolID()
		is.True(isNotFound(w.store.InTx(w.ctx(), unknown, func(context.Context, ports.Tx) error { return nil })))
		is.True(isNotFound(w.store.InTx(w.ctx(), unknown, func(ctx context.Context, tx ports.Tx) error {
			return tx.Categories.Add(ctx, category.Restore(w.newCategory("Design")))
		})))
	})

	t.Run("A transaction reads the school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		var got school.School
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.School.Get(ctx)
			return err
		})
		is.Equal(diff(got.State(), w.all().School), "")
	})
}

// recovered returns the value with which fn panics, or nil if it does not panic.
func recovered(fn func()) (value any) {
	defer func() { value = recover() }()
	fn()
	return nil
}
