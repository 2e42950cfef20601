package coupon

import "time"

// Activate enables the coupon. It changes nothing if the coupon is already enabled.
func (c *Coupon) Activate(now time.Time) { c.enable(true, now) }

// Deactivate disables the coupon. It changes nothing if the coupon is already disabled.
func (c *Coupon) Deactivate(now time.Time) { c.enable(false, now) }

func (c *Coupon) enable(enabled bool, now time.Time) {
	if c.s.Enabled != enabled {
		c.s.Enabled, c.s.UpdatedAt = enabled, now
	}
}
