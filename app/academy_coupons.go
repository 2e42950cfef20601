package app

import (
	"context"
	"strings"

	"lyceum/app/auth"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/redemption"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Redeem uses the coupon with the given code for the visitor. If the visitor has already redeemed
// the coupon, it returns that redemption, so that one visitor cannot use up a coupon. It returns
// Invalid on the field code if the code is unknown.
func (u *Academy) Redeem(ctx context.Context, v auth.Visitor, code string) (redemption.Summary, error) {
	var id coupon.ID
	code = strings.TrimSpace(code)
	err := u.deps.InTx(ctx, v.Actor.Permit(), func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Coupons.IDsByCode(ctx, []string{code})
		if err != nil {
			return err
		}
		var ok bool
		if id, ok = found[text.UniqueKey(code)]; !ok {
			return fault.Invalidf("code", "is unknown")
		}
		return nil
	})
	if err != nil {
		return redemption.Summary{}, err
	}
	return u.redemptions.redeem(ctx, v.Actor.Permit(), id, v.Person.ID, true)
}
