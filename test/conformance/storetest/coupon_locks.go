package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// couponLocks tests that GetForUpdate blocks other writes of the coupon, that concurrent
// redemptions never exceed the maximum, and that concurrent transactions cannot add coupons with
// the same code.
func couponLocks(t *testing.T, b Backend) {
	t.Run("GetForUpdate of a coupon blocks its update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring")
		changed := c
		changed.Code = "Summer"
		is.NoErr(w.checkBlocks(lockCoupon(c.ID), func() error { return w.trySaveCoupon(changed) }))
		is.Equal(w.coupon(c.ID).Code, "Summer")
	})

	t.Run("GetForUpdate of a coupon blocks another GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring")
		is.NoErr(w.checkBlocks(lockCoupon(c.ID), func() error { return w.try(lockCoupon(c.ID)) }))
	})

	t.Run("GetForUpdate of a coupon blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring")
		is.NoErr(w.checkBlocks(lockCoupon(c.ID), func() error { return w.tryDeleteCoupon(c.ID) }))
		is.Equal(len(w.all().Coupons), 0)
	})

	t.Run("Readers do not block on a coupon locked for update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCoupon("Spring")
		var during coupon.State
		w.do(func(ctx context.Context, tx ports.Tx) error {
			err := lockCoupon(c.ID)(ctx, tx)
			during = w.coupon(c.ID)
			return err
		})
		is.Equal(diff(during, c), "")
	})

	t.Run("Concurrent redemptions are all counted and never exceed the maximum", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		const allowed = goroutines / 2
		c := w.addCoupon("Spring", func(c *coupon.State) { c.MaximumUsages = allowed })
		var refused tally
		for _, err := range atOnce(func(int) error { return w.redeem(c.ID) }) {
			if fault.Is(err, fault.Invalid) {
				refused.add(1)
				continue
			}
			is.NoErr(err)
		}
		is.Equal(refused.n, goroutines-allowed)
		c.UsagesCount = allowed
		is.Equal(diff(w.coupon(c.ID), c), "")
	})

	t.Run("One of many concurrent coupons gets a code", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		rivals := make([]coupon.State, goroutines)
		for i := range rivals {
			rivals[i] = w.newCoupon("Spring")
		}
		var added tally
		for i, err := range atOnce(func(i int) error { return w.tryAddCoupon(rivals[i]) }) {
			if err == nil {
				added.add(1)
				is.Equal(diff(w.all().Coupons, []coupon.State{rivals[i]}), "")
				continue
			}
			is.True(fault.Is(err, fault.Invalid))
		}
		is.Equal(added.n, 1)
	})
}

// redeem counts one redemption of the coupon.
func (s tenant) redeem(id coupon.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
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
	return func(ctx context.Context, tx ports.Tx) error { return second(tx.Coupons.GetForUpdate(ctx, id)) }
}
