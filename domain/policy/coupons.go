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

// ActivatingCoupon is the decision to enable a disabled coupon: by activation, by an update, or by
// creating it enabled. Without effect the coupon stays disabled; what else the request changes is
// saved.
type ActivatingCoupon struct {
	Request
	Coupon coupon.State // enabled
}

// Redeeming is the decision to redeem a coupon for a person.
type Redeeming struct {
	Request
	Coupon coupon.State // UsagesCount excludes this use; exact, in imports only if a rule needs Count
	Person person.State
}

// redeeming is the rules on redeeming a coupon.
var redeeming = Rules[Redeeming]{{Check: redeemable}}

func redeemable(r Redeeming) error {
	if r.Past {
		return nil
	}
	return r.Coupon.CheckRedeemable(r.At)
}
