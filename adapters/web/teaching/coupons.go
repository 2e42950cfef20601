package teaching

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
)

// couponsData is the data of the list of coupons.
type couponsData struct {
	List listPage[coupon.State]
	Form url.Values // values of the form that adds a coupon
}

func coupons(x *siteRequest) error {
	return x.renderCoupons(http.StatusOK, url.Values{"currency": {"EUR"}})
}

func (x *siteRequest) renderCoupons(status int, form url.Values, problems ...string) error {
	list, err := listPageOf(x, listing[coupon.State]{
		name: "coupons", schema: coupon.Schema,
		list: func(ctx context.Context, q query.Query) (query.Result[coupon.State], error) {
			return x.site.app.Coupons(ctx, x.staff, q)
		},
		indexed: true,
		sorts:   []sorting{{"code", "Code"}, {"-usages_count", "Most used first"}, {"end_on", "Ends first"}},
	})
	if err != nil {
		return err
	}
	return x.render(status, "coupons", couponsData{list, form}, problems...)
}

// couponData is the data of the page of a coupon.
type couponData struct {
	Coupon coupon.State
	Form   url.Values // values of the form that changes the coupon; nil: the stored values
	Basis  basis      // of the form
	List   listPage[redemption.Summary]
}

// CouponStatus returns whether the coupon can be used now, as a text of the app.
func (v view) CouponStatus(c coupon.State) string {
	found := fault.All(v.site.app.CheckRedeemable(c))
	if len(found) == 0 {
		return "enabled"
	}
	return unusable[found[0].Field]
}

// unusable contains the statuses of a coupon that cannot be used, by the attribute that prevents it.
var unusable = map[string]string{
	"enabled": "disabled", "start_on": "not valid yet", "end_on": "expired", "usages_count": "used up",
}

func (x *siteRequest) couponID() (coupon.ID, error) {
	of, err := x.id("coupon")
	return coupon.ID{UUID: of}, err
}

func showCoupon(x *siteRequest) error {
	id, err := x.couponID()
	if err != nil {
		return err
	}
	return x.renderCoupon(http.StatusOK, id, couponData{})
}

// renderCoupon shows a coupon. Unless d has the form that was sent, the form has the stored values.
func (x *siteRequest) renderCoupon(status int, id coupon.ID, d couponData, problems ...string) error {
	var err error
	if d.Coupon, err = x.site.app.Coupon(x.r.Context(), x.staff, id); err != nil {
		return err
	}
	stored := couponForm(d.Coupon)
	if d.Form == nil {
		d.Form, d.Basis.Version = stored, couponVersion(d.Coupon)
	} else if d.Basis.Stale {
		d.Basis = staleBasis(couponVersion(d.Coupon), "/coupons/"+id.String(), x.couponValues(stored), x.couponValues(d.Form))
	}
	d.List, err = listPageOf(x, listing[redemption.Summary]{
		name: "redemptions:" + id.String(), schema: redemption.Schema, at: "/coupons/" + id.String(),
		list: func(ctx context.Context, q query.Query) (query.Result[redemption.Summary], error) {
			return x.site.app.Redemptions(ctx, x.staff, id, q)
		},
		sorts: []sorting{{"-created_at", "Newest first"}},
	})
	if err != nil {
		return err
	}
	return x.render(status, "coupon", d, problems...)
}

// couponLabels contains the labels of the fields in the form of a coupon, by name.
var couponLabels = []struct{ field, label string }{
	{"code", "Code"},
	{"format", "Discount"},
	{"value", "Value"},
	{"currency", "Currency"},
	{"maximum_usages", "Maximum number of uses"},
	{"start_on", "First day"},
	{"end_on", "Last day"},
}

// couponForm returns the values of the form of a stored coupon.
func couponForm(c coupon.State) url.Values {
	form := url.Values{
		"code": {c.Code}, "format": {c.Format.String()}, "value": {c.Value.String()}, "currency": {c.Currency},
		"maximum_usages": {strconv.FormatInt(c.MaximumUsages, 10)}, "start_on": {c.StartOn.Format(time.DateOnly)},
	}
	if c.EndOn != nil {
		form.Set("end_on", c.EndOn.Format(time.DateOnly))
	}
	return form
}

func couponVersion(c coupon.State) string { return versionOf(couponForm(c)) }

// couponValues returns the values of the form of a coupon.
func (x *siteRequest) couponValues(form url.Values) []shownValue {
	values := make([]shownValue, len(couponLabels))
	for i, l := range couponLabels {
		values[i] = shownValue{x.t(l.label), form.Get(l.field)}
	}
	return values
}

func createCoupon(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	params, err := couponParams(form)
	var made coupon.State
	if err == nil {
		made, err = x.site.app.CreateCoupon(x.r.Context(), x.staff, params)
	}
	return x.settle(err, "/coupons/"+made.ID.String(), func(problems ...string) error {
		return x.renderCoupons(http.StatusUnprocessableEntity, form, problems...)
	})
}

// couponParams reads the attributes of a coupon from a form.
func couponParams(form url.Values) (p coupon.Params, err error) {
	p.Code, p.Currency = form.Get("code"), form.Get("currency")
	var errs [5]error
	p.StartOn, errs[0] = coupon.ParseDay("start_on", form.Get("start_on"))
	if end := form.Get("end_on"); end != "" {
		p.EndOn, errs[1] = coupon.ParseDay("end_on", end)
	}
	p.Format, errs[2] = coupon.ParseFormat(form.Get("format"))
	p.Value, errs[3] = coupon.ParseValue(form.Get("value"))
	if p.MaximumUsages, err = strconv.ParseInt(form.Get("maximum_usages"), 10, 64); err != nil {
		errs[4] = fault.Invalidf("maximum_usages", "must be a whole number")
	}
	return p, fault.Join(errs[:]...)
}

func editCoupon(x *siteRequest) error {
	id, err := x.couponID()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	p, err := couponParams(form)
	if err == nil {
		err = x.site.app.UpdateCoupon(x.r.Context(), x.staff, id, coupon.Changes{
			Code: &p.Code, Currency: &p.Currency, StartOn: &p.StartOn, EndOn: &p.EndOn, Format: &p.Format, Value: &p.Value,
			MaximumUsages: &p.MaximumUsages, Check: unchanged(form, couponVersion),
		})
	}
	return x.settle(err, "/coupons/"+id.String(), func(problems ...string) error {
		d := couponData{Form: form, Basis: basis{Version: form.Get(versionField), Stale: isStale(err)}}
		return x.renderCoupon(http.StatusUnprocessableEntity, id, d, problems...)
	})
}

func enableCoupon(x *siteRequest) error {
	id, err := x.couponID()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	err = x.site.app.SetCouponEnabled(x.r.Context(), x.staff, id, form.Get("enabled") == "true")
	return x.settle(err, "/coupons/"+id.String(), func(problems ...string) error {
		return x.renderCoupon(http.StatusUnprocessableEntity, id, couponData{}, problems...)
	})
}

func (x *siteRequest) couponRemoval() (confirmation, coupon.ID, error) {
	id, err := x.couponID()
	if err != nil {
		return confirmation{}, id, err
	}
	c, err := x.site.app.Coupon(x.r.Context(), x.staff, id)
	path := "/coupons/" + id.String()
	return confirmation{
		Title: x.tf("Remove %s?", c.Code), Text: x.t("The coupon and its redemptions are deleted."),
		Action: path + "/remove", Button: x.t("Remove"), Back: path,
	}, id, err
}

func removeCouponForm(x *siteRequest) error {
	c, _, err := x.couponRemoval()
	if err != nil {
		return err
	}
	return x.confirm(c)
}

func removeCoupon(x *siteRequest) error {
	c, id, err := x.couponRemoval()
	if err != nil {
		return err
	}
	err = x.site.app.DeleteCoupon(x.r.Context(), x.staff, id)
	return x.settle(err, "/coupons", func(problems ...string) error { return x.confirm(c, problems...) })
}
