package methods

import (
	"context"
	"math"

	"lyceum/domain/coupon"
	"lyceum/domain/redemption"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// couponMethods contains the methods of ports.CouponReader and ports.CouponRepo except IDsByCode.
var couponMethods = []portMethod{
	{port: "Coupons", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Coupons, func(c coupon.State) bool { return c.ID == theirs.Coupon.ID })
	}},
	{port: "Coupons", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Coupons.Get(ctx, theirs.Coupon.ID))
	}},
	{port: "Coupons", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		c, err := tx.Coupons.GetForUpdate(ctx, theirs.Coupon.ID)
		return c.State(), err
	}},
	{port: "Coupons", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The code is the code of the other school's coupon.
		c := theirs.Coupon
		c.ID = coupon.ID{UUID: theirs.IDs.New()}
		return nil, tx.Coupons.Add(ctx, coupon.Restore(c))
	}},
	{port: "Coupons", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		c := theirs.Coupon
		c.Code = "Changed"
		return nil, tx.Coupons.Save(ctx, coupon.Restore(c))
	}},
	{port: "Coupons", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Coupons.Delete(ctx, theirs.Coupon.ID)
	}},
}

// redemptionMethods contains the methods of ports.RedemptionReader and ports.RedemptionRepo.
var redemptionMethods = []portMethod{
	{port: "Redemptions", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Redemptions, func(n redemption.Summary) bool { return n.ID == theirs.Redemption.ID })
	}},
	{port: "Redemptions", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Redemptions.Get(ctx, theirs.Redemption.ID))
	}},
	{port: "Redemptions", method: "Add", of: "their coupon", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Redemptions.Add(ctx, ours.NewRedemption(func(n *redemption.Redemption) { n.Coupon = theirs.Voucher.ID }))
	}},
	{port: "Redemptions", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Redemptions.Add(ctx, ours.NewRedemption(func(n *redemption.Redemption) { n.Person = theirs.Coursework.Learner.ID }))
	}},
	{port: "Redemptions", method: "DeleteByCoupon", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Redemptions.DeleteByCoupon(ctx, theirs.Voucher.ID, math.MaxInt32))
	}},
	{port: "Redemptions", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Redemptions.DeleteByPerson(ctx, theirs.Coursework.Learner.ID, math.MaxInt32))
	}},
}
