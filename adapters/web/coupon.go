package web

import (
	"net/http"

	"lyceum/domain/fault"
)

// couponForm is the data of the page on which visitors redeem coupons.
type couponForm struct {
	Code string
	Used bool
}

func couponPage(x *siteRequest) error { return x.render(http.StatusOK, "coupon", couponForm{}) }

// usedCouponPage confirms that a coupon was redeemed, and shows the form for another coupon.
func usedCouponPage(x *siteRequest) error {
	return x.render(http.StatusOK, "coupon", couponForm{Used: true})
}

// redeemCoupon redeems the coupon with the code in the form. An unknown code counts toward the
// limit of attempts.
func redeemCoupon(x *siteRequest) error {
	if err := x.checkAttempts(); err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	code := form.Get("code")
	_, err = x.site.app.Academy.Redeem(x.r.Context(), *x.visitor, code)
	if refused, ok := problems(err); ok {
		if fault.All(err)[0].Field == "code" {
			_ = x.site.cfg.Attempts.Take(x.w.Header(), x.r) // limits only later requests
			refused = []string{x.texts.UnknownCode}
		}
		return x.render(http.StatusUnprocessableEntity, "coupon", couponForm{Code: code}, refused...)
	}
	if err != nil {
		return err
	}
	return x.redirect("/coupon/used")
}
