package courses

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// CouponLocks tests that GetForUpdate blocks other writes of the coupon, that concurrent
// redemptions never exceed the maximum, and that concurrent transactions cannot add coupons with
// the same code.
func CouponLocks(t *testing.T, b fixture.Backend) {
	t.Run("GetForUpdate of a coupon blocks its update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring")
		changed := c
		changed.Code = "Summer"
		is.NoErr(w.CheckBlocks(lockCoupon(c.ID), func() error { return w.TrySaveCoupon(changed) }))
		is.Equal(w.Coupon(c.ID).Code, "Summer")
	})

	t.Run("GetForUpdate of a coupon blocks another GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring")
		is.NoErr(w.CheckBlocks(lockCoupon(c.ID), func() error { return w.Try(lockCoupon(c.ID)) }))
	})

	t.Run("GetForUpdate of a coupon blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring")
		is.NoErr(w.CheckBlocks(lockCoupon(c.ID), func() error { return w.TryDeleteCoupon(c.ID) }))
		is.Equal(len(w.All().Coupons), 0)
	})

	t.Run("Readers do not block on a coupon locked for update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCoupon("Spring")
		var during coupon.State
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			err := lockCoupon(c.ID)(ctx, tx)
			during = w.Coupon(c.ID)
			return err
		})
		is.Equal(fixture.Diff(during, c), "")
	})

	t.Run("Concurrent redemptions are all counted and never exceed the maximum", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		const allowed = fixture.Goroutines / 2
		c := w.AddCoupon("Spring", func(c *coupon.State) { c.MaximumUsages = allowed })
		var refused fixture.Counter
		for _, err := range fixture.AtOnce(func(int) error { return redeem(w.Tenant, c.ID) }) {
			if fault.Is(err, fault.Invalid) {
				refused.Add(1)
				continue
			}
			is.NoErr(err)
		}
		is.Equal(refused.Count, fixture.Goroutines-allowed)
		c.UsagesCount = allowed
		is.Equal(fixture.Diff(w.Coupon(c.ID), c), "")
	})

	t.Run("One of many concurrent coupons gets a code", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		rivals := make([]coupon.State, fixture.Goroutines)
		for i := range rivals {
			rivals[i] = w.NewCoupon("Spring")
		}
		var added fixture.Counter
		for i, err := range fixture.AtOnce(func(i int) error { return tryAddCoupon(w.Tenant, rivals[i]) }) {
			if err == nil {
				added.Add(1)
				is.Equal(fixture.Diff(w.All().Coupons, []coupon.State{rivals[i]}), "")
				continue
			}
			is.True(fault.Is(err, fault.Invalid))
		}
		is.Equal(added.Count, 1)
	})
}

// redeem counts one redemption of the coupon.
func redeem(s fixture.Tenant, id coupon.ID) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Coupons.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		if err := c.Redeem(c.State().StartOn); err != nil {
			return err
		}
		return tx.Coupons.Save(ctx, c)
	})
}

func lockCoupon(id coupon.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.Coupons.GetForUpdate(ctx, id)) }
}
