package storetest

import (
	"context"

	"lyceum/domain/coupon"
	"lyceum/ports"
)

// couponMethods contains the methods of ports.CouponReader and ports.CouponRepo except IDsByCode.
var couponMethods = []portMethod{
	{port: "Coupons", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Coupons, func(c coupon.State) bool { return c.ID == theirs.coupon.ID })
	}},
	{port: "Coupons", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Coupons.Get(ctx, theirs.coupon.ID))
	}},
	{port: "Coupons", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		c, err := tx.Coupons.GetForUpdate(ctx, theirs.coupon.ID)
		return c.State(), err
	}},
	{port: "Coupons", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		// The code is the code of the other school's coupon.
		c := theirs.coupon
		c.ID = coupon.ID{UUID: theirs.ids.New()}
		return nil, tx.Coupons.Add(ctx, coupon.Restore(c))
	}},
	{port: "Coupons", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		c := theirs.coupon
		c.Code = "Changed"
		return nil, tx.Coupons.Save(ctx, coupon.Restore(c))
	}},
	{port: "Coupons", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Coupons.Delete(ctx, theirs.coupon.ID)
	}},
}
