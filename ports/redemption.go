package ports

import (
	"context"

	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
)

// RedemptionReader reads redemptions of coupons. The names in them are those of
// the moment.
type RedemptionReader interface {
	Lister[redemption.Summary]

	// Get returns the redemption id, NotFound when there is none.
	Get(ctx context.Context, id redemption.ID) (redemption.Summary, error)
}

// RedemptionRepo reads and writes redemptions of coupons.
type RedemptionRepo interface {
	RedemptionReader

	// Add keeps a new redemption. A coupon or person that the school has not is
	// refused with an error.
	Add(ctx context.Context, r redemption.Redemption) error

	// RemoveOfCoupon forgets all redemptions of a coupon.
	RemoveOfCoupon(ctx context.Context, id coupon.ID) error

	// RemoveOfPerson forgets all redemptions of a person.
	RemoveOfPerson(ctx context.Context, id person.ID) error
}
