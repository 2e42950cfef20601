package policy

import (
	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

// CreatingCoupon is the decision to create a coupon.
type CreatingCoupon struct {
	Request
	Coupon coupon.State
}

// ActivatingCoupon is the decision to save a coupon that is enabled: to create it enabled, to
// enable it by activation or an update, or to update it while it is enabled. If a rule returns
// NoEffect, a coupon that was disabled or new is saved, but not enabled; an update of an enabled
// coupon is not saved.
type ActivatingCoupon struct {
	Request
	Before *coupon.State // nil for a new coupon
	Coupon coupon.State  // the coupon after the change
}

// Redeeming is the decision to redeem a coupon for a person.
type Redeeming struct {
	Request
	Coupon coupon.State // UsagesCount excludes this use; in imports it is exact only if a rule needs Count
	Person person.State
}

// redeeming contains the standard rules on redeeming a coupon.
var redeeming = Rules[Redeeming]{{Check: redeemable}}

func redeemable(r Redeeming) error {
	if r.Past {
		return nil
	}
	return r.Coupon.CheckRedeemable(r.At)
}
