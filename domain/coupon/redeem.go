package coupon

import (
	"time"

	"lyceum/domain/fault"
)

// CheckRedeemable returns nil if the coupon can be used at the time now: it is enabled, the day of
// now in UTC is in the range StartOn to EndOn, and UsagesCount is below MaximumUsages. Otherwise it
// returns a fault that names the attribute that prevents the use.
func (s State) CheckRedeemable(now time.Time) error {
	switch {
	case !s.Enabled:
		return fault.Invalidf("enabled", "The coupon is not active")
	case now.Before(s.StartOn):
		return fault.Invalidf("start_on", "The coupon is valid from %s", s.StartOn.Format(time.DateOnly))
	case s.EndOn != nil && !now.Before(s.EndOn.AddDate(0, 0, 1)):
		return fault.Invalidf("end_on", "The coupon was valid until %s", s.EndOn.Format(time.DateOnly))
	case s.UsagesCount >= s.MaximumUsages:
		return fault.Invalidf("usages_count", "The coupon has reached its maximum of %d usages", s.UsagesCount)
	}
	return nil
}

// Redeem counts one use of the coupon if CheckRedeemable allows it. UpdatedAt does not change.
func (c *Coupon) Redeem(now time.Time) error {
	if err := c.s.CheckRedeemable(now); err != nil {
		return err
	}
	c.s.UsagesCount++
	return nil
}
