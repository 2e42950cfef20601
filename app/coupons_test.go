package app_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// terms returns valid parameters of a coupon with the given code.
func terms(code string) coupon.Params {
	return coupon.Params{
		Code: code, Currency: "EUR", StartOn: start, Format: coupon.Fixed, Value: 105_000, MaximumUsages: 10, UsagesCount: 4,
	}
}

// newCoupon creates a coupon with the given code.
func (w *world) newCoupon(t *testing.T, code string) coupon.State {
	t.Helper()
	c, err := w.Coupons.Create(w.ctx, w.actor, terms(code))
	is.New(t).NoErr(err)
	return c
}

func TestCouponLifecycle(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	made := w.newCoupon(t, " Spring ")
	is.Equal(made, coupon.State{
		ID: made.ID, Code: "Spring", Currency: "EUR", Enabled: true, StartOn: start.Truncate(24 * time.Hour),
		Format: coupon.Fixed, Value: 105_000, UsagesCount: 4, MaximumUsages: 10, CreatedAt: start, UpdatedAt: start,
	})

	w.clock.Advance(time.Hour)
	code, allowed := "Summer", int64(4)
	changed, err := w.Coupons.Update(w.ctx, w.actor, made.ID, coupon.Changes{Code: &code, MaximumUsages: &allowed})
	is.NoErr(err)
	want := made
	want.Code, want.MaximumUsages, want.UpdatedAt = code, allowed, start.Add(time.Hour)
	is.Equal(changed, want)
	got, err := w.Coupons.Get(w.ctx, w.actor, made.ID)
	is.NoErr(err)
	is.Equal(got, changed)
	list, err := w.Coupons.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(list.Items, []coupon.State{changed})

	is.NoErr(w.Coupons.Delete(w.ctx, w.actor, made.ID))
	_, err = w.Coupons.Get(w.ctx, w.actor, made.ID)
	is.True(fault.Is(err, fault.NotFound))
}

func TestRepeatedActivationKeepsUpdatedAt(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newCoupon(t, "Spring").ID
	for _, step := range []struct {
		do      func() error
		enabled bool
		updated time.Duration // time since start
	}{
		{func() error { return w.Coupons.Activate(w.ctx, w.actor, id) }, true, 0},
		{func() error { return w.Coupons.Deactivate(w.ctx, w.actor, id) }, false, 2 * time.Hour},
		{func() error { return w.Coupons.Deactivate(w.ctx, w.actor, id) }, false, 2 * time.Hour},
		{func() error { return w.Coupons.Activate(w.ctx, w.actor, id) }, true, 4 * time.Hour},
	} {
		w.clock.Advance(time.Hour)
		is.NoErr(step.do())
		c, err := w.Coupons.Get(w.ctx, w.actor, id)
		is.NoErr(err)
		is.Equal(c.Enabled, step.enabled)
		is.Equal(c.UpdatedAt, start.Add(step.updated))
	}
}

func TestRefusedCouponUpdateChangesNothing(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	made, other := w.newCoupon(t, "Spring"), w.newCoupon(t, "Café")
	w.clock.Advance(time.Hour)

	few, taken, free := int64(3), "CAFÉ", "Cafe"
	_, err := w.Coupons.Update(w.ctx, w.actor, made.ID, coupon.Changes{Code: &free, MaximumUsages: &few})
	is.Equal(firstFault(t, err).Field, "maximum_usages")
	_, err = w.Coupons.Update(w.ctx, w.actor, made.ID, coupon.Changes{Code: &taken})
	is.Equal(firstFault(t, err).Field, "code")
	is.Equal(*firstFault(t, err).Holder, fault.Holder{Type: "coupons", ID: other.ID.UUID})
	_, err = w.Coupons.Create(w.ctx, w.actor, terms(taken))
	is.Equal(*firstFault(t, err).Holder, fault.Holder{Type: "coupons", ID: other.ID.UUID})
	_, err = w.Coupons.Create(w.ctx, w.actor, coupon.Params{})
	is.Equal(len(fault.All(err)), 6)

	list, err := w.Coupons.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(list.Items, []coupon.State{other, made})
}

func TestMissingCouponIsNotFound(t *testing.T) {
	none := coupon.ID{UUID: uuid.New()}
	for name, do := range map[string]func(w *world) error{
		"update":     func(w *world) error { _, err := w.Coupons.Update(w.ctx, w.actor, none, coupon.Changes{}); return err },
		"activate":   func(w *world) error { return w.Coupons.Activate(w.ctx, w.actor, none) },
		"deactivate": func(w *world) error { return w.Coupons.Deactivate(w.ctx, w.actor, none) },
		"delete":     func(w *world) error { return w.Coupons.Delete(w.ctx, w.actor, none) },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.True(fault.Is(do(newWorld(t, school.Preregistration)), fault.NotFound))
		})
	}
}
