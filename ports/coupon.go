package ports

import (
	"context"

	"lyceum/domain/coupon"
)

// CouponReader reads coupons.
type CouponReader interface {
	Lister[coupon.State]

	// Get returns the coupon with the given id, or NotFound if there is none.
	Get(ctx context.Context, id coupon.ID) (coupon.State, error)
}

// CouponRepo reads and writes coupons.
type CouponRepo interface {
	CouponReader

	// GetForUpdate returns the coupon with the given id and locks it for update, or returns
	// NotFound if there is none.
	GetForUpdate(ctx context.Context, id coupon.ID) (coupon.Coupon, error)

	// IDsByCode returns the ids of the coupons with the given codes, as a map by the text.UniqueKey
	// of the code. The map omits codes without a coupon.
	IDsByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error)

	// Add inserts a new coupon. If another coupon has the same code (by text.UniqueKey), Add
	// returns Invalid on the field code, with that coupon as the holder.
	Add(ctx context.Context, c coupon.Coupon) error

	// Save updates a coupon. It returns NotFound if the coupon does not exist. It refuses a code
	// that is taken, like Add.
	Save(ctx context.Context, c coupon.Coupon) error

	// Delete deletes the coupon with the given id. It returns NotFound if there is none, and an
	// error if redemptions of the coupon exist.
	Delete(ctx context.Context, id coupon.ID) error
}
