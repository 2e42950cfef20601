// Package redemption is the use of a coupon by a person.
package redemption

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

// Type is the plural noun by which documents and faults name redemptions.
const Type = "coupon_redemptions"

// ID identifies a redemption.
type ID struct{ uuid.UUID }

// Redemption is one use of a coupon by a person. It never changes. The same
// person may use the same coupon again, which is another redemption.
type Redemption struct {
	ID        ID
	Coupon    coupon.ID
	Person    person.ID
	CreatedAt time.Time
}

// Summary is a redemption as lists and documents show one, with the names by
// which lists are searched.
type Summary struct {
	Redemption
	PersonName, PersonEmail string
}

// Redeem uses the coupon once, on behalf of the person p, if the coupon is
// Redeemable; otherwise nothing is changed.
func Redeem(id ID, c *coupon.Coupon, p person.ID, now time.Time) (Redemption, error) {
	if err := c.Redeem(now); err != nil {
		return Redemption{}, err
	}
	return Redemption{ID: id, Coupon: c.State().ID, Person: p, CreatedAt: now}, nil
}
