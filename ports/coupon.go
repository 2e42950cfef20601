package ports

import (
	"context"

	"lyceum/domain/coupon"
)

// CouponReader reads coupons.
type CouponReader interface {
	Lister[coupon.State]

	// Get returns the coupon id, or NotFound if there is none.
	Get(ctx context.Context, id coupon.ID) (coupon.State, error)
}

// CouponRepo reads and writes coupons.
type CouponRepo interface {
	CouponReader

	// GetForUpdate returns the coupon id and locks it for update, NotFound if there is none.
	GetForUpdate(ctx context.Context, id coupon.ID) (coupon.Coupon, error)

	// ByCode returns the ids of the coupons with these codes, by the text.UniqueKey of the code;
	// the result omits codes without a coupon.
	ByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error)

	// Add inserts a new coupon. If another coupon has the same code (by text.UniqueKey), Add
	// returns Invalid on the field code, with that coupon as the holder.
	Add(ctx context.Context, c coupon.Coupon) error

	// Save updates a coupon, NotFound if it does not exist. A code that is taken is refused as by
	// Add.
	Save(ctx context.Context, c coupon.Coupon) error

	// Delete deletes the coupon id, NotFound if there is none. It returns an error if redemptions
	// of the coupon exist.
	Delete(ctx context.Context, id coupon.ID) error
}
