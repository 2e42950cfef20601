package coupon

import "time"

// Activate lets the coupon be used. A second time changes nothing.
func (c *Coupon) Activate(now time.Time) { c.enable(true, now) }

// Deactivate keeps the coupon from being used until it is activated again. A
// second time changes nothing.
func (c *Coupon) Deactivate(now time.Time) { c.enable(false, now) }

func (c *Coupon) enable(enabled bool, now time.Time) {
	if c.s.Enabled != enabled {
		c.s.Enabled, c.s.UpdatedAt = enabled, now
	}
}
