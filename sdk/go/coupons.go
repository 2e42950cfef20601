package lyceum

import (
	"context"
	"net/http"
)

// Coupons manages discount codes.
type Coupons struct {
	Lister[Coupon]
	Getter[Coupon]
	Creator[NewCoupon, Coupon]
	Updater[ChangedCoupon, Coupon]
	Deleter
}

// Redeem records that the person has used the coupon.
func (c Coupons) Redeem(ctx context.Context, couponID, personID string, options ...RequestOption) (Redemption, error) {
	return fetch[Redemption](ctx, c.Lister.at(couponID, "redemptions"), http.MethodPost, ofPerson(personID), options...)
}

// Redemptions returns the list of the redemptions of a coupon.
func (c Coupons) Redemptions(couponID string) Lister[Redemption] {
	return Lister[Redemption]{c.Lister.at(couponID, "redemptions")}
}
