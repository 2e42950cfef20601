package ports

import (
	"context"

	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
)

// RedemptionReader reads redemptions of coupons. The names in them are read from the current
// records.
type RedemptionReader interface {
	Lister[redemption.Summary]

	// Get returns the redemption with the given id, or NotFound if there is none.
	Get(ctx context.Context, id redemption.ID) (redemption.Summary, error)
}

// RedemptionRepo reads and writes redemptions of coupons.
type RedemptionRepo interface {
	RedemptionReader

	// Add inserts a new redemption. It returns an error if the coupon or the person does not exist.
	Add(ctx context.Context, r redemption.Redemption) error

	// DeleteByCoupon deletes at most limit redemptions of a coupon, and returns how many it
	// deleted.
	DeleteByCoupon(ctx context.Context, id coupon.ID, limit int) (int, error)

	// DeleteByPerson deletes at most limit redemptions of a person, and returns how many it
	// deleted.
	DeleteByPerson(ctx context.Context, id person.ID, limit int) (int, error)
}
