package app

import (
	"fmt"

	"github.com/google/uuid"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/redemption"
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
	if n := int64(len(p.Redemptions)); n > p.Terms.UsagesCount {
		return fault.Invalidf("usages_count", "must be at least %d, for so many redemptions are told", n)
	}
	return nil
}

// redeemed drafts the uses of the coupon at place. Their ids follow from the
// coupon's, so that a blueprint with ids of its own builds the same school each time.
func (d *drafting) redeemed(place string, p CouponPlan) {
	of, ok := d.couponByCode[text.Key(p.Terms.Code)]
	for i, use := range p.Redemptions {
		who, known := d.personByEmail[text.Key(use.Email)]
		switch {
		case !known:
			d.failed(place+"."+element("redemptions", i), fault.Invalidf("email", "there is nobody %q", use.Email))
		case ok:
			d.redemptions = append(d.redemptions, redemption.Redemption{
				ID:     redemption.ID{UUID: uuid.NewSHA1(of.UUID, fmt.Appendf(nil, "redemption %d", i+1))},
				Coupon: of, Person: who.State().ID, CreatedAt: at(use.At, d.now),
			})
		}
	}
}
