package app

import (
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// coupon drafts a coupon.
func (d *drafting) coupon(p CouponPlan) error {
	c, err := coupon.New(coupon.ID{UUID: d.id(p.ID)}, p.Terms, at(p.CreatedAt, d.now))
	if err != nil {
		return err
	}
	key := text.Key(c.State().Code)
	if holder, ok := d.couponByCode[key]; ok {
		return fault.Taken("code", coupon.Type, holder.UUID)
	}
	d.couponByCode[key] = c.State().ID
	d.coupons = append(d.coupons, c)
	return nil
}
