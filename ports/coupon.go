package ports

import (
	"context"

	"lyceum/domain/coupon"
)

// CouponReader reads coupons.
type CouponReader interface {
	Lister[coupon.State]

	// Get returns the coupon id as documents show it, NotFound when there is none.
	Get(ctx context.Context, id coupon.ID) (coupon.State, error)
}

// CouponRepo reads and writes coupons.
type CouponRepo interface {
	CouponReader

	// Find returns the coupon id, NotFound when there is none, and locks the
	// coupon.
	Find(ctx context.Context, id coupon.ID) (coupon.Coupon, error)

	// ByCode returns the ids of the coupons with these codes, by the text.Key of
	// each; codes that no coupon has are absent. It locks nothing.
	ByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error)

	// Add keeps a new coupon. A code whose text.Key another coupon has is Invalid,
	// on the field code, with that coupon as the holder.
	Add(ctx context.Context, c coupon.Coupon) error

	// Save keeps a changed coupon, under Add's rule on codes; NotFound when there
	// is no such coupon.
	Save(ctx context.Context, c coupon.Coupon) error

	// Remove forgets the coupon id, NotFound when there is none. It refuses with
	// an error while redemptions of the coupon exist.
	Remove(ctx context.Context, id coupon.ID) error
}
