package admission

import (
	"time"

	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
)

// CheckCoupon returns why a new coupon may not be added, or may not be active from the
// start; nil if it may.
func CheckCoupon(rules policy.Set, c coupon.State, now time.Time) error {
	err := rules.CreateCoupon.Check(policy.CreatingCoupon{Coupon: c})
	if c.Enabled {
		err = fault.Join(err, rules.ActivateCoupon.Check(policy.ActivatingCoupon{Coupon: c, At: now}))
	}
	return err
}

// CheckCouponChange returns why a coupon may not be activated by a change, nil if it may
// or is not.
func CheckCouponChange(rules policy.Set, before, after coupon.State, now time.Time) error {
	if before.Enabled || !after.Enabled {
		return nil
	}
	return rules.ActivateCoupon.Check(policy.ActivatingCoupon{Coupon: after, At: now})
}

// CheckRedeeming returns why a coupon, which is locked, may not be used by a person, nil
// if it may. Past says that it was used elsewhere, and this use is brought into the
// school.
func CheckRedeeming(rules policy.Set, c coupon.State, by person.State, now time.Time, past bool) error {
	return rules.Redeem.Check(policy.Redeeming{Coupon: c, Person: by, At: now, Past: past})
}
