package policy

import (
	"time"

	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

// CreatingCoupon is the decision to add a coupon.
type CreatingCoupon struct {
	Coupon coupon.State
}

// creatingCoupon is the rules on which coupons are added.
var creatingCoupon = Rules[CreatingCoupon]{}

// ActivatingCoupon is the decision to let a coupon be used that could not be used:
// by its activation, by a change, or because it is created active.
type ActivatingCoupon struct {
	Coupon coupon.State // active
	At     time.Time
}

// activatingCoupon is the rules on which coupons are activated.
var activatingCoupon = Rules[ActivatingCoupon]{}

// Redeeming is the decision to use a coupon once, on behalf of a person.
type Redeeming struct {
	Coupon coupon.State // UsagesCount is how often it has been used already; exact unless Past
	Person person.State
	At     time.Time
	Past   bool // the coupon was used elsewhere, and its use is only brought into the school
}

// redeeming is the rules on who uses which coupon, and when.
var redeeming = Rules[Redeeming]{{Needs: Records, Check: redeemable}}

func redeemable(r Redeeming) error {
	if r.Past {
		return nil
	}
	return r.Coupon.Redeemable(r.At)
}
