package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/ports"
)

// coupons tests ports.CouponReader and ports.CouponRepo except for their lists.
func coupons(t *testing.T, b Backend) {
	t.Run("Get returns the coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		spring := w.addCoupon("Spring", func(c *coupon.State) { c.EndOn, c.UsagesCount = nil, 2 })
		autumn := w.addCoupon("Autumn", func(c *coupon.State) {
			c.Enabled, c.Format, c.Value = false, coupon.Percentage, w.amount("33.3333")
		})
		for _, want := range []coupon.State{autumn, spring} {
			is.Equal(diff(w.coupon(want.ID), want), "")
			var got coupon.State
			w.do(func(ctx context.Context, tx ports.Tx) (err error) {
				got, err = tx.Coupons.Get(ctx, want.ID)
				return err
			})
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCoupon("Spring")
		_, err := w.read().Coupons.Get(w.ctx(), w.newCoupon("Autumn").ID)
		is.True(isNotFound(err))
	})

	t.Run("GetForUpdate returns the coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		spring, autumn := w.addCoupon("Spring"), w.addCoupon("Autumn")
		for _, want := range []coupon.State{autumn, spring} {
			got, err := w.couponForUpdate(want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCoupon("Spring")
		_, err := w.couponForUpdate(w.newCoupon("Autumn").ID)
		is.True(isNotFound(err))
	})

	t.Run("Add inserts the coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.newCoupon("Spring")
		is.NoErr(w.tryAddCoupon(want))
		is.Equal(diff(w.all().Coupons, []coupon.State{want}), "")
	})

	t.Run("Values from the smallest to the largest are read back exactly", func(t *testing.T) {
		for _, number := range amounts {
			t.Run(number, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				want := w.addCoupon("Spring", func(c *coupon.State) { c.Value = w.amount(number) })
				is.Equal(diff(w.coupon(want.ID), want), "")
			})
		}
	})

	t.Run("A code with the unique key of another coupon is Invalid on the field code, with that coupon as the holder", func(t *testing.T) {
		for _, tt := range sameKeys {
			t.Run(tt.held+" "+tt.wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addCoupon("Other")
				holder := w.addCoupon(tt.held)
				err := w.tryAddCoupon(w.newCoupon(tt.wanted))
				is.Equal(diffTaken(err, "code", coupon.Type, holder.ID), "")
			})
		}
	})

	t.Run("A code with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range differentKeys {
			t.Run(tt.held+" "+tt.wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addCoupon(tt.held)
				is.NoErr(w.tryAddCoupon(w.newCoupon(tt.wanted)))
			})
		}
	})

	t.Run("Save updates the coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, other := w.addCoupon("Spring"), w.addCoupon("Autumn")
		end := c.StartOn.AddDate(1, 0, 0)
		c = coupon.State{
			ID: c.ID, Code: "Winter", Currency: "JPY", Enabled: !c.Enabled, StartOn: c.StartOn.AddDate(0, 1, 0), EndOn: &end,
			Format: coupon.Percentage, Value: w.amount("0.5"), UsagesCount: 7, MaximumUsages: 9, CreatedAt: c.CreatedAt, UpdatedAt: w.nextTime(),
		}
		is.NoErr(w.trySaveCoupon(c))
		is.Equal(diff(w.all().Coupons, []coupon.State{other, c}), "")
		c.EndOn = nil
		is.NoErr(w.trySaveCoupon(c))
		is.Equal(diff(w.all().Coupons, []coupon.State{other, c}), "")
	})

	t.Run("Save returns the same faults as Add for codes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, holder := w.addCoupon("Spring"), w.addCoupon("Été")
		c.Code = "ÉTÉ"
		is.Equal(diffTaken(w.trySaveCoupon(c), "code", coupon.Type, holder.ID), "")
		c.Code = "Ete"
		is.NoErr(w.trySaveCoupon(c))
	})

	t.Run("Save accepts the coupon's own code, also in another case", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring")
		for _, code := range []string{"Spring", "SPRING"} {
			c.Code = code
			is.NoErr(w.trySaveCoupon(c))
		}
		is.Equal(diff(w.all().Coupons, []coupon.State{c}), "")
	})

	t.Run("Save returns NotFound for an unknown coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.True(isNotFound(w.trySaveCoupon(w.newCoupon("Spring"))))
		is.Equal(len(w.all().Coupons), 0)
	})

	t.Run("A former code is free", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		recoded, removed := w.addCoupon("Spring"), w.addCoupon("Autumn")
		recoded.Code = "Summer"
		is.NoErr(w.trySaveCoupon(recoded))
		is.NoErr(w.tryDeleteCoupon(removed.ID))
		is.NoErr(w.tryAddCoupon(w.newCoupon("spring")))
		is.NoErr(w.tryAddCoupon(w.newCoupon("autumn")))
	})

	t.Run("Delete deletes the coupon", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, other := w.addCoupon("Spring"), w.addCoupon("Autumn")
		is.NoErr(w.tryDeleteCoupon(c.ID))
		_, err := w.read().Coupons.Get(w.ctx(), c.ID)
		is.True(isNotFound(err))
		is.Equal(diff(w.all().Coupons, []coupon.State{other}), "")
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring")
		is.NoErr(w.tryDeleteCoupon(c.ID))
		is.True(isNotFound(w.tryDeleteCoupon(c.ID)))
	})
}

// newCoupon returns a new, active coupon without usages that is valid for a year from today.
func (s tenant) newCoupon(code string, changes ...func(*coupon.State)) coupon.State {
	now := s.nextTime()
	start := dayOf(now)
	end := start.AddDate(1, 0, 0)
	c := coupon.State{
		ID: coupon.ID{UUID: s.ids.New()}, Code: code, Currency: "EUR", Enabled: true, StartOn: start, EndOn: &end,
		Format: coupon.Fixed, Value: s.amount("10.5"), MaximumUsages: 10, CreatedAt: now, UpdatedAt: now,
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

// addCoupon adds a coupon with a code.
func (s tenant) addCoupon(code string, changes ...func(*coupon.State)) coupon.State {
	s.t.Helper()
	c := s.newCoupon(code, changes...)
	s.save(c)
	return c
}

// coupon returns the coupon as Get returns it.
func (s tenant) coupon(id coupon.ID) coupon.State {
	s.t.Helper()
	c, err := s.read().Coupons.Get(s.ctx(), id)
	s.must(err)
	return c
}

// couponForUpdate returns a coupon as GetForUpdate returns it.
func (s tenant) couponForUpdate(id coupon.ID) (coupon.State, error) {
	var c coupon.Coupon
	err := s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		c, err = tx.Coupons.GetForUpdate(ctx, id)
		return err
	})
	return c.State(), err
}

func (s tenant) tryAddCoupon(c coupon.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Coupons.Add(ctx, coupon.Restore(c)) })
}

// trySaveCoupon saves an existing coupon.
func (s tenant) trySaveCoupon(c coupon.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Coupons.Save(ctx, coupon.Restore(c)) })
}

// tryDeleteCoupon deletes a coupon.
func (s tenant) tryDeleteCoupon(id coupon.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Coupons.Delete(ctx, id) })
}
