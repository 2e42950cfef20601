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

// ActivatingCoupon is the decision to enable a disabled coupon: by activating it, by updating it,
// or by creating it enabled. If a rule returns NoEffect, the coupon stays disabled; the other
// changes of the request are saved.
type ActivatingCoupon struct {
	Request
	Coupon coupon.State // as it would be when enabled
}

// Redeeming is the decision to redeem a coupon for a person.
type Redeeming struct {
	Request
	Coupon coupon.State // UsagesCount excludes this use; it is exact, but in imports only if a rule needs Count
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
