package admission

import (
	"time"

	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
)

// CheckCoupon returns the refusal of a new coupon, including its activation if it is active from
// the start.
func CheckCoupon(rules policy.Set, c coupon.State, now time.Time) error {
	err := rules.CreateCoupon.Check(policy.CreatingCoupon{Coupon: c})
	if c.Enabled {
		err = fault.Join(err, rules.ActivateCoupon.Check(policy.ActivatingCoupon{Coupon: c, At: now}))
	}
	return err
}

// CheckCouponChange returns the refusal of a change that activates a coupon.
func CheckCouponChange(rules policy.Set, before, after coupon.State, now time.Time) error {
	if before.Enabled || !after.Enabled {
		return nil
	}
	return rules.ActivateCoupon.Check(policy.ActivatingCoupon{Coupon: after, At: now})
}

// CheckRedeeming returns the refusal of the redemption of c, which is locked, by a person. Past
// means that the redemption has already happened and is imported.
func CheckRedeeming(rules policy.Set, c coupon.State, by person.State, now time.Time, past bool) error {
	return rules.Redeem.Check(policy.Redeeming{Coupon: c, Person: by, At: now, Past: past})
}
