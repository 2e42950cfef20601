package courses

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// Coupons tests ports.CouponReader and ports.CouponRepo except for their lists.
func Coupons(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		spring := w.AddCoupon("Spring", func(c *coupon.State) { c.EndOn, c.UsagesCount = nil, 2 })
		autumn := w.AddCoupon("Autumn", func(c *coupon.State) {
			c.Enabled, c.Format, c.Value = false, coupon.Percentage, w.Amount("33.3333")
		})
		for _, want := range []coupon.State{autumn, spring} {
			is.Equal(fixture.Diff(w.Coupon(want.ID), want), "")
			var got coupon.State
			w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
				got, err = tx.Coupons.Get(ctx, want.ID)
				return err
			})
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCoupon("Spring")
		_, err := w.Read().Coupons.Get(w.Context(), w.NewCoupon("Autumn").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetForUpdate returns the coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		spring, autumn := w.AddCoupon("Spring"), w.AddCoupon("Autumn")
		for _, want := range []coupon.State{autumn, spring} {
			got, err := w.CouponForUpdate(want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCoupon("Spring")
		_, err := w.CouponForUpdate(w.NewCoupon("Autumn").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Add inserts the coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.NewCoupon("Spring")
		is.NoErr(tryAddCoupon(w.Tenant, want))
		is.Equal(fixture.Diff(w.All().Coupons, []coupon.State{want}), "")
	})

	t.Run("Values from the smallest to the largest are read back exactly", func(t *testing.T) {
		for _, number := range lists.Amounts {
			t.Run(number, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				want := w.AddCoupon("Spring", func(c *coupon.State) { c.Value = w.Amount(number) })
				is.Equal(fixture.Diff(w.Coupon(want.ID), want), "")
			})
		}
	})

	t.Run("A code with the unique key of another coupon is Invalid on the field code, with that coupon as the holder", func(t *testing.T) {
		for _, tt := range fixture.SameKeys {
			t.Run(tt.Held+" "+tt.Wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddCoupon("Other")
				holder := w.AddCoupon(tt.Held)
				err := tryAddCoupon(w.Tenant, w.NewCoupon(tt.Wanted))
				is.Equal(fixture.DiffTaken(err, "code", coupon.Type, holder.ID), "")
			})
		}
	})

	t.Run("A code with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range fixture.DifferentKeys {
			t.Run(tt.Held+" "+tt.Wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddCoupon(tt.Held)
				is.NoErr(tryAddCoupon(w.Tenant, w.NewCoupon(tt.Wanted)))
			})
		}
	})

	t.Run("Save updates the coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, other := w.AddCoupon("Spring"), w.AddCoupon("Autumn")
		end := c.StartOn.AddDate(1, 0, 0)
		c = coupon.State{
			ID: c.ID, Code: "Winter", Currency: "JPY", Enabled: !c.Enabled, StartOn: c.StartOn.AddDate(0, 1, 0), EndOn: &end,
			Format: coupon.Percentage, Value: w.Amount("0.5"), UsagesCount: 7, MaximumUsages: 9, CreatedAt: c.CreatedAt, UpdatedAt: w.NextTime(),
		}
		is.NoErr(w.TrySaveCoupon(c))
		is.Equal(fixture.Diff(w.All().Coupons, []coupon.State{other, c}), "")
		c.EndOn = nil
		is.NoErr(w.TrySaveCoupon(c))
		is.Equal(fixture.Diff(w.All().Coupons, []coupon.State{other, c}), "")
	})

	t.Run("Save returns the same faults as Add for codes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, holder := w.AddCoupon("Spring"), w.AddCoupon("Été")
		c.Code = "ÉTÉ"
		is.Equal(fixture.DiffTaken(w.TrySaveCoupon(c), "code", coupon.Type, holder.ID), "")
		c.Code = "Ete"
		is.NoErr(w.TrySaveCoupon(c))
	})

	t.Run("Save accepts the coupon's own code, also in another case", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring")
		for _, code := range []string{"Spring", "SPRING"} {
			c.Code = code
			is.NoErr(w.TrySaveCoupon(c))
		}
		is.Equal(fixture.Diff(w.All().Coupons, []coupon.State{c}), "")
	})

	t.Run("Save returns NotFound for an unknown coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.True(fixture.IsNotFound(w.TrySaveCoupon(w.NewCoupon("Spring"))))
		is.Equal(len(w.All().Coupons), 0)
	})

	t.Run("A former code is free", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		recoded, removed := w.AddCoupon("Spring"), w.AddCoupon("Autumn")
		recoded.Code = "Summer"
		is.NoErr(w.TrySaveCoupon(recoded))
		is.NoErr(w.TryDeleteCoupon(removed.ID))
		is.NoErr(tryAddCoupon(w.Tenant, w.NewCoupon("spring")))
		is.NoErr(tryAddCoupon(w.Tenant, w.NewCoupon("autumn")))
	})

	t.Run("Delete deletes the coupon", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, other := w.AddCoupon("Spring"), w.AddCoupon("Autumn")
		is.NoErr(w.TryDeleteCoupon(c.ID))
		_, err := w.Read().Coupons.Get(w.Context(), c.ID)
		is.True(fixture.IsNotFound(err))
		is.Equal(fixture.Diff(w.All().Coupons, []coupon.State{other}), "")
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring")
		is.NoErr(w.TryDeleteCoupon(c.ID))
		is.True(fixture.IsNotFound(w.TryDeleteCoupon(c.ID)))
	})
}

func tryAddCoupon(s fixture.Tenant, c coupon.State) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Coupons.Add(ctx, coupon.Restore(c)) })
}
