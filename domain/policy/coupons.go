package policy

import (
	"time"

	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

// CreatingCoupon is the decision to create a coupon.
type CreatingCoupon struct {
	Coupon coupon.State
}

var creatingCoupon = Rules[CreatingCoupon]{}

// ActivatingCoupon is the decision to enable a coupon: by activation, by an update, or by creating
// it enabled.
type ActivatingCoupon struct {
	Coupon coupon.State // enabled
	At     time.Time
}

var activatingCoupon = Rules[ActivatingCoupon]{}

// Redeeming is the decision to redeem a coupon for a person.
type Redeeming struct {
	Coupon coupon.State // UsagesCount excludes this use; exact unless Past
	Person person.State
	At     time.Time
	Past   bool // the use happened before and is only imported
}

var redeeming = Rules[Redeeming]{{Needs: Records, Check: redeemable}}

func redeemable(r Redeeming) error {
	if r.Past {
		return nil
	}
	return r.Coupon.CheckRedeemable(r.At)
}
