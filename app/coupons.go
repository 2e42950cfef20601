package app

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Coupons is what can be done with coupons.
type Coupons struct{ deps usecase.Deps }

// List returns a page of coupons.
func (u *Coupons) List(ctx context.Context, a Actor, q query.Query) (query.Result[coupon.State], error) {
	return u.deps.Store.Read(a.School()).Coupons.List(ctx, q)
}

// Get returns one coupon.
func (u *Coupons) Get(ctx context.Context, a Actor, id coupon.ID) (coupon.State, error) {
	return u.deps.Store.Read(a.School()).Coupons.Get(ctx, id)
}

// Create adds a coupon.
func (u *Coupons) Create(ctx context.Context, a Actor, terms coupon.Terms) (coupon.State, error) {
	id, now := coupon.ID{UUID: u.deps.IDs.New()}, u.deps.Clock.Now()
	var made coupon.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := coupon.New(id, terms, now)
		if err != nil {
			return fault.Join(err, codeTaken(ctx, tx, terms.Code))
		}
		made = c.State()
		if err := tx.Coupons.Add(ctx, c); err != nil {
			return err
		}
		return admission.CheckCoupon(u.deps.Policies.Living, made, now)
	})
	if err != nil {
		return coupon.State{}, err
	}
	return made, nil
}

// codeTaken returns the fault that a coupon has the code, so that a response with
// other faults names it too; nil for a code that is none.
func codeTaken(ctx context.Context, tx ports.Tx, code string) error {
	name, _ := text.Name("code", code) // blank, which no coupon has, if it is none
	found, err := tx.Coupons.ByCode(ctx, []string{name})
	if err != nil {
		return err
	}
	if holder, ok := found[text.Key(name)]; ok {
		return fault.Taken("code", coupon.Type, holder.UUID)
	}
	return nil
}

// Update changes a coupon and returns it as it is then.
func (u *Coupons) Update(ctx context.Context, a Actor, id coupon.ID, change coupon.Change) (coupon.State, error) {
	now := u.deps.Clock.Now()
	return u.change(ctx, a, id, now, func(c *coupon.Coupon) error { return c.Change(change, now) })
}

// Activate lets a coupon be used.
func (u *Coupons) Activate(ctx context.Context, a Actor, id coupon.ID) error {
	return u.enable(ctx, a, id, (*coupon.Coupon).Activate)
}

// Deactivate keeps a coupon from being used until it is activated again.
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

// change keeps what apply makes of a coupon, unless it is as before.
func (u *Coupons) change(
	ctx context.Context, a Actor, id coupon.ID, now time.Time, apply func(*coupon.Coupon) error,
) (coupon.State, error) {
	var after coupon.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Coupons.Find(ctx, id)
		if err != nil {
			return err
		}
		before := c.State()
		if err := apply(&c); err != nil {
			return err
		}
		after = c.State()
		if after == before {
			return nil
		}
		if err := admission.CheckCouponChange(u.deps.Policies.Living, before, after, now); err != nil {
			return err
		}
		return tx.Coupons.Save(ctx, c)
	})
	return after, err
}

// Delete removes a coupon and its redemptions for good.
func (u *Coupons) Delete(ctx context.Context, a Actor, id coupon.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Coupons.Find(ctx, id); err != nil {
			return err
		}
		if err := tx.Redemptions.RemoveOfCoupon(ctx, id); err != nil {
			return err
		}
		return tx.Coupons.Remove(ctx, id)
	})
}
