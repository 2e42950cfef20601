package httpapi

import (
	"encoding/json"
	"time"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
)

func (s *server) listCoupons() handler {
	return list(s, lists.Listing[coupon.State]{
		Schema: coupon.Schema, List: s.app.Coupons.List, ToResource: s.coupon,
	})
}

func (s *server) createCoupon() handler {
	return createHandler(s, creation[coupon.Params, coupon.State]{
		types: []string{coupon.Type}, read: couponParams, create: s.app.Coupons.Create,
		url:        func(made coupon.State) string { return s.links.coupon(s.version, made.ID.UUID) },
		toResource: s.coupon,
	})
}

// couponParams reads a new coupon. It adds a fault to d for a missing number, which the domain
// would treat as 0.
func couponParams(d *request.Document) coupon.Params {
	ch := couponChanges(d)
	if ch.Value == nil {
		d.Fail(fault.Blank("value"))
	}
	if ch.MaximumUsages == nil {
		d.Fail(fault.Blank("maximum_usages"))
	}
	return coupon.Params{
		Code: valueOrZero(ch.Code), Currency: valueOrZero(ch.Currency), StartOn: valueOrZero(ch.StartOn), EndOn: valueOrZero(ch.EndOn),
		Format: valueOrZero(ch.Format), Value: valueOrZero(ch.Value), MaximumUsages: valueOrZero(ch.MaximumUsages),
		Disabled: ch.Enabled != nil && !*ch.Enabled,
	}
}

func (s *server) updateCoupon() handler {
	return updateHandler(s, coupon.Type, couponChanges, s.app.Coupons.Update, s.coupon)
}

// couponChanges reads the attributes of a coupon.
func couponChanges(d *request.Document) coupon.Changes {
	return coupon.Changes{
		Code: d.Text("code"), Currency: d.Text("currency_code"),
		StartOn: request.Attribute(d, "start_on", parseDate), EndOn: request.Attribute(d, "end_on", orBlank(parseDate)),
		Format: request.Attribute(d, "format", parsed(request.TextOf, coupon.ParseFormat)), Value: request.Attribute(d, "value", parsed(request.NumberOf, coupon.ParseValue)),
		MaximumUsages: request.Attribute(d, "maximum_usages", request.IntegerOf), Enabled: request.Attribute(d, "enabled", request.BoolOf),
	}
}

func parseDate(name string, v jsonapi.Value) (time.Time, error) {
	day, err := request.TextOf(name, v)
	if err != nil {
		return time.Time{}, err
	}
	return coupon.ParseDay(name, day)
}

type couponAttributes struct {
	Code          string      `json:"code"`
	CurrencyCode  string      `json:"currency_code"`
	Enabled       bool        `json:"enabled"`
	StartOn       string      `json:"start_on"`
	EndOn         *string     `json:"end_on"`
	Format        string      `json:"format"`
	Value         json.Number `json:"value"`
	UsagesCount   int64       `json:"usages_count"`
	MaximumUsages int64       `json:"maximum_usages"`
}

type couponLinks struct {
	Self       jsonapi.Link `json:"self"`
	Activation string       `json:"activation"`
	Teaching   string       `json:"teaching"`
}

func (s *server) coupon(a app.Actor, c coupon.State) jsonapi.Resource {
	id := c.ID.UUID
	return jsonapi.Resource{
		Type: coupon.Type,
		ID:   id.String(),
		Attributes: couponAttributes{
			Code:          c.Code,
			CurrencyCode:  c.Currency,
			Enabled:       c.Enabled,
			StartOn:       date(c.StartOn),
			EndOn:         optionalDate(c.EndOn),
			Format:        c.Format.String(),
			Value:         json.Number(c.Value.String()),
			UsagesCount:   c.UsagesCount,
			MaximumUsages: c.MaximumUsages,
		},
		Relationships: struct{}{},
		Links: couponLinks{
			Self:       jsonapi.Link{Href: s.links.coupon(s.version, id), Methods: []string{"get", "post", "delete"}},
			Activation: s.links.couponActivation(s.version, id),
			Teaching:   s.links.couponTeaching(a.Slug(), id),
		},
	}
}
