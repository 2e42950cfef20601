// Package redemption defines the uses of coupons by people.
package redemption

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

// Type is the resource type of redemptions in documents and faults.
const Type = "coupon_redemptions"

// ID identifies a redemption.
type ID struct{ uuid.UUID }

// Redemption is one use of a coupon by a person. It never changes. If the same person uses the
// coupon again, that is another redemption.
type Redemption struct {
	ID        ID
	Coupon    coupon.ID
	Person    person.ID
	CreatedAt time.Time
}

// Summary is a redemption as it appears in lists and documents, including the names by which lists
// are searched.
type Summary struct {
	Redemption
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail string
}

// Redeem counts one use of the coupon and returns its redemption by the person p. If the coupon
// cannot be redeemed, Redeem returns a fault and changes nothing.
func Redeem(id ID, c *coupon.Coupon, p person.ID, now time.Time) (Redemption, error) {
	if err := c.Redeem(now); err != nil {
		return Redemption{}, err
	}
	return Redemption{ID: id, Coupon: c.State().ID, Person: p, CreatedAt: now}, nil
}
