package admission

import (
	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/domain/policy"
)

// CheckCoupon returns the verdict on a new coupon c, and the coupon to save. If c is enabled but a
// rule returns NoEffect for the activation, the coupon to save is disabled.
func CheckCoupon(rules policy.Set, by policy.Request, c coupon.Coupon) (coupon.Coupon, error) {
	verdict := rules.CreateCoupon.Check(policy.CreatingCoupon{Request: by, Coupon: c.State()})
	if !c.State().Enabled {
		return c, verdict
	}
	effect, err := policy.Effect(rules.ActivateCoupon.Check(policy.ActivatingCoupon{Request: by, Coupon: c.State()}))
	if !effect {
		c.Deactivate(c.State().UpdatedAt)
	}
	return c, policy.Combine(verdict, err)
}

// CheckCouponChange returns the coupon to save, and an error if a rule refuses the change. It
// checks the rules only if the coupon is enabled after the change. If a rule returns NoEffect, an
// enabled coupon stays unchanged, and a disabled coupon stays disabled but gets its other changes.
func CheckCouponChange(rules policy.Set, by policy.Request, before coupon.State, c coupon.Coupon) (coupon.Coupon, error) {
	after := c.State()
	if !after.Enabled || after == before {
		return c, nil
	}
	effect, err := policy.Effect(rules.ActivateCoupon.Check(policy.ActivatingCoupon{Request: by, Before: &before, Coupon: after}))
	switch {
	case effect:
		return c, nil
	case before.Enabled:
		return coupon.Restore(before), err
	}
	after.Enabled = false
	unchanged := after
	if unchanged.UpdatedAt = before.UpdatedAt; unchanged == before {
		after = before
	}
	return coupon.Restore(after), err
}

// CheckRedeeming returns the verdict on the redemption of a coupon by a person. The coupon must be
// locked.
func CheckRedeeming(rules policy.Set, by policy.Request, c coupon.State, p person.State) error {
	return rules.Redeem.Check(policy.Redeeming{Request: by, Coupon: c, Person: p})
}
