package schoolfile

import (
	"fmt"
	"time"

	"lyceum/app"
	"lyceum/domain/coupon"
)

// coupon leaves out what the file does not say: the domain knows what a coupon
// needs.
func (c *conversion) coupon(at string, d couponDoc) app.CouponPlan {
	plan := app.CouponPlan{
		ID: c.id(at+".id", d.ID), CreatedAt: c.time(at+".created_at", d.CreatedAt),
		Terms: coupon.Terms{
			Code: d.Code, Currency: d.Currency,
			StartOn: c.day(at+".start_on", d.StartOn), EndOn: c.day(at+".end_on", d.EndOn),
			MaximumUsages: d.MaximumUsages, UsagesCount: d.UsagesCount, Disabled: d.Enabled != nil && !*d.Enabled,
		},
	}
	if d.Format != "" {
		plan.Terms.Format = check(c, at+".format", d.Format, coupon.ParseFormat)
	}
	if d.Value != "" {
		plan.Terms.Value = check(c, at+".value", d.Value.String(), coupon.ParseValue)
	}
	for i, r := range d.Redemptions {
		plan.Redemptions = append(plan.Redemptions, app.RedemptionPlan{
			Email: r.Email, At: c.time(fmt.Sprintf("%s.redemptions[%d].at", at, i), r.At),
		})
	}
	return plan
}

func (c *conversion) day(at, written string) time.Time {
	if written == "" {
		return time.Time{}
	}
	return check(c, at, written, func(written string) (time.Time, error) { return coupon.ParseDay("", written) })
}
