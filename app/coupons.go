package app

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Coupons manages coupons.
type Coupons struct{ deps usecase.Deps }

// List returns a page of coupons.
func (u *Coupons) List(ctx context.Context, a Actor, q query.Query) (query.Result[coupon.State], error) {
	return u.deps.Read(a).Coupons.List(ctx, q)
}

// Get returns the coupon with the given id, or NotFound if it does not exist.
func (u *Coupons) Get(ctx context.Context, a Actor, id coupon.ID) (coupon.State, error) {
	return u.deps.Read(a).Coupons.Get(ctx, id)
}

// CheckRedeemable returns nil if the coupon can be used now, and otherwise why it cannot.
func (u *Coupons) CheckRedeemable(s coupon.State) error { return s.CheckRedeemable(u.deps.Clock.Now()) }

// Create adds a coupon.
func (u *Coupons) Create(ctx context.Context, a Actor, params coupon.Params) (coupon.State, error) {
	id, now := coupon.ID{UUID: u.deps.IDs.New()}, u.deps.Clock.Now()
	var made coupon.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := coupon.New(id, params, now)
		if err != nil {
			return fault.Join(err, codeTaken(ctx, tx, params.Code))
		}
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		c, err = admission.CheckCoupon(u.deps.Policies.Living, by, c)
		made = c.State()
		if effect, err := policy.Effect(err); !effect {
			return fault.Join(usecase.AtData(err), codeTaken(ctx, tx, params.Code))
		}
		return tx.Coupons.Add(ctx, c)
	})
	if err != nil {
		return coupon.State{}, err
	}
	return made, nil
}

// codeTaken returns a fault if a coupon already has the code, and nil if the code is invalid. A use
// case that has already found other faults calls it to report all of them together.
func codeTaken(ctx context.Context, tx ports.Tx, code string) error {
	name, _ := text.Name("code", code) // blank if the code is invalid; no coupon has a blank code
	found, err := tx.Coupons.IDsByCode(ctx, []string{name})
	if err != nil {
		return err
	}
	if holder, ok := found[text.UniqueKey(name)]; ok {
		return fault.Taken("code", coupon.Type, holder.UUID)
	}
	return nil
}

// Update changes a coupon and returns the updated coupon.
func (u *Coupons) Update(ctx context.Context, a Actor, id coupon.ID, change coupon.Changes) (coupon.State, error) {
	now := u.deps.Clock.Now()
	return u.change(ctx, a, id, now, func(c *coupon.Coupon) error { return c.Update(change, now) })
}

// Activate makes a coupon redeemable.
func (u *Coupons) Activate(ctx context.Context, a Actor, id coupon.ID) error {
	return u.enable(ctx, a, id, (*coupon.Coupon).Activate)
}

// Deactivate prevents redemptions of a coupon until it is activated again.
func (u *Coupons) Deactivate(ctx context.Context, a Actor, id coupon.ID) error {
	return u.enable(ctx, a, id, (*coupon.Coupon).Deactivate)
}

func (u *Coupons) enable(ctx context.Context, a Actor, id coupon.ID, enable func(*coupon.Coupon, time.Time)) error {
	now := u.deps.Clock.Now()
	_, err := u.change(ctx, a, id, now, func(c *coupon.Coupon) error {
		enable(c, now)
		return nil
	})
	return err
}

// change applies a change to a coupon, and saves the coupon if the change has an effect.
func (u *Coupons) change(
	ctx context.Context, a Actor, id coupon.ID, now time.Time, apply func(*coupon.Coupon) error,
) (coupon.State, error) {
	var after coupon.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		c, err := usecase.Update(ctx, tx.Coupons, id, func(c *coupon.Coupon) (bool, error) {
			before := c.State()
			err := apply(c)
			if err != nil {
				return false, err
			}
			*c, err = admission.CheckCouponChange(u.deps.Policies.Living, by, before, *c)
			return c.State() != before, usecase.AtData(err)
		})
		after = c.State()
		return err
	})
	return after, err
}

// Delete deletes a coupon and its redemptions.
func (u *Coupons) Delete(ctx context.Context, a Actor, id coupon.ID) error {
	return inBatches(ctx, u.deps, a, func(ctx context.Context, tx ports.Tx) (bool, error) {
		if _, err := tx.Coupons.GetForUpdate(ctx, id); err != nil {
			return false, err
		}
		done, err := deleteBatch(ctx, tx.Redemptions.DeleteByCoupon, id, rowBatch)
		if err != nil || !done {
			return false, err
		}
		return true, tx.Coupons.Delete(ctx, id)
	})
}
