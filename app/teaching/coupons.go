package teaching

import (
	"context"

	"lyceum/domain/coupon"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
)

// Coupons returns a page of coupons.
func (t *Teaching) Coupons(ctx context.Context, s Staff, q query.Query) (query.Result[coupon.State], error) {
	a, err := s.manager()
	if err != nil {
		return query.Result[coupon.State]{}, err
	}
	return t.app.Coupons.List(ctx, a, q)
}

// Coupon returns a coupon.
func (t *Teaching) Coupon(ctx context.Context, s Staff, id coupon.ID) (coupon.State, error) {
	a, err := s.manager()
	if err != nil {
		return coupon.State{}, err
	}
	return t.app.Coupons.Get(ctx, a, id)
}

// CheckRedeemable returns nil if the coupon can be used now, and otherwise why it cannot.
func (t *Teaching) CheckRedeemable(c coupon.State) error { return t.app.Coupons.CheckRedeemable(c) }

// Redemptions returns a page of the redemptions of a coupon.
func (t *Teaching) Redemptions(ctx context.Context, s Staff, id coupon.ID, q query.Query) (query.Result[redemption.Summary], error) {
	a, err := s.manager()
	if err != nil {
		return query.Result[redemption.Summary]{}, err
	}
	found, err := t.app.Redemptions.ListOf(ctx, a, id, q)
	if err == nil {
		err = t.nameRedemptions(ctx, s, found.Items)
	}
	return found, err
}

// CreateCoupon adds a coupon.
func (t *Teaching) CreateCoupon(ctx context.Context, s Staff, p coupon.Params) (coupon.State, error) {
	a, err := s.manager()
	if err != nil {
		return coupon.State{}, err
	}
	return t.app.Coupons.Create(ctx, a, p)
}

// UpdateCoupon changes a coupon.
func (t *Teaching) UpdateCoupon(ctx context.Context, s Staff, id coupon.ID, c coupon.Changes) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	_, err = t.app.Coupons.Update(ctx, a, id, c)
	return err
}

// SetCouponEnabled makes a coupon redeemable, or prevents further redemptions.
func (t *Teaching) SetCouponEnabled(ctx context.Context, s Staff, id coupon.ID, enabled bool) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	if enabled {
		return t.app.Coupons.Activate(ctx, a, id)
	}
	return t.app.Coupons.Deactivate(ctx, a, id)
}

// DeleteCoupon deletes a coupon and its redemptions.
func (t *Teaching) DeleteCoupon(ctx context.Context, s Staff, id coupon.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Coupons.Delete(ctx, a, id)
}
