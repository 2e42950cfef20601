package app_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/intercept"
)

// A deletion of very many records is committed in batches. If the process dies between two batches,
// the request can be repeated.
func TestLargeDeletionsAreDoneInBatches(t *testing.T) {
	const records = 12_500
	for _, tt := range []struct {
		name string
		last string // the call that deletes the record itself
		// add adds the records and returns the deletion and the number of records left.
		add func(is *is.I, w *world) (remove func(a *app.App) error, left func() int)
	}{
		{"events of a person", "Tx.People.Delete", func(is *is.I, w *world) (func(*app.App) error, func() int) {
			bob := w.people["bob@example.test"]
			activities, err := w.Activities.List(w.ctx, w.actor, query.Query{})
			is.NoErr(err)
			all := make([]event.Event, records)
			for i := range all {
				all[i] = event.NewView(bob, activities.Items[0].ID)
			}
			is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Events.Append(ctx, all, w.clock.Now())
				return err
			}))
			return func(a *app.App) error { return a.People.Delete(w.ctx, w.actor, bob) }, func() int {
				list, err := w.store.Read(w.school).Events.List(w.ctx, query.Query{Page: query.AllRows()})
				is.NoErr(err)
				return len(list.Items)
			}
		}},
		{"addresses in the audit events of a person", "Tx.People.Delete", func(is *is.I, w *world) (func(*app.App) error, func() int) {
			bob := w.people["bob@example.test"]
			by := audit.Origin{Actor: audit.Actor{Type: audit.Session, ID: w.ids.New(), Person: bob}, Address: "192.0.2.1"}
			is.NoErr(w.store.InTx(ports.WithOrigin(w.ctx, by), w.school, func(ctx context.Context, tx ports.Tx) error {
				for range records {
					if err := tx.Audit.Add(ctx, audit.Invited, change.Record{Type: person.Type, ID: bob.String()}); err != nil {
						return err
					}
				}
				return nil
			}))
			return func(a *app.App) error { return a.People.Delete(w.ctx, w.actor, bob) }, func() int {
				page, err := w.store.Read(w.school).Audit.Page(w.ctx, query.Query{Page: query.AllRows()})
				is.NoErr(err)
				return len(slices.DeleteFunc(page.Items, func(e audit.Event) bool { return e.Address == "" }))
			}
		}},
		{"redemptions of a coupon", "Tx.Coupons.Delete", func(is *is.I, w *world) (func(*app.App) error, func() int) {
			c := w.newCoupon(t, "Spring").ID
			is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error {
				for range records {
					r := redemption.Redemption{ID: redemption.ID{UUID: w.ids.New()}, Coupon: c, Person: w.people["bob@example.test"], CreatedAt: w.clock.Now()}
					if err := tx.Redemptions.Add(ctx, r); err != nil {
						return err
					}
				}
				return nil
			}))
			return func(a *app.App) error { return a.Coupons.Delete(w.ctx, w.actor, c) }, func() int {
				list, err := w.store.Read(w.school).Redemptions.List(w.ctx, query.Query{Page: query.AllRows()})
				is.NoErr(err)
				return len(list.Items)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, school.Preregistration)
			remove, left := tt.add(is, w)
			before := left()
			is.True(before >= records)
			killed := errors.New("the process was killed")
			interrupted := func(_ context.Context, call string) error {
				if call == tt.last {
					return killed
				}
				return nil
			}
			dying := app.New(intercept.Store(w.store, interrupted), w.schools, w.queue, w.files, w.emails, w.clock, w.ids)
			is.True(errors.Is(remove(dying), killed))
			is.True(left() > 0) // the last batch is in the transaction that deletes the record
			is.True(left() <= before-records/2)
			is.NoErr(remove(w.App))
			is.Equal(left(), before-records)
		})
	}
}
