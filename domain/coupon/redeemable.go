package coupon

import (
	"time"

	"lyceum/domain/fault"
)

// Redeemable says whether the coupon can be used at the instant now: it is
// enabled, the day in UTC is from StartOn to EndOn, and it has been used less
// often than it may be. Otherwise the fault names the attribute that stands in
// the way.
func (s State) Redeemable(now time.Time) error {
	switch {
	case !s.Enabled:
		return fault.Invalidf("enabled", "The coupon is not active")
	case now.Before(s.StartOn):
		return fault.Invalidf("start_on", "The coupon can be used from %s on", s.StartOn.Format(time.DateOnly))
	case s.EndOn != nil && !now.Before(s.EndOn.AddDate(0, 0, 1)):
		return fault.Invalidf("end_on", "The coupon could be used until %s", s.EndOn.Format(time.DateOnly))
	case s.UsagesCount >= s.MaximumUsages:
		return fault.Invalidf("usages_count", "The coupon has been used %d times, which is all it allows", s.UsagesCount)
	}
	return nil
}

// Redeem uses the coupon once, if it is Redeemable. A usage is no change of the
// coupon itself, so the time of the last change stays.
func (c *Coupon) Redeem(now time.Time) error {
	if err := c.s.Redeemable(now); err != nil {
		return err
	}
	c.s.UsagesCount++
	return nil
}
