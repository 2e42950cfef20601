package httpapi

import (
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/coupon"
)

func (s *server) listCoupons() handler {
	return list(s, listing[coupon.State]{
		schema: coupon.Schema, list: s.app.Coupons.List, toResource: s.coupon,
	})
}

func (s *server) updateCoupon(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readChange(c, id, coupon.Type)
	if err != nil {
		return err
	}
	change := couponChange(d)
	changed, err := try(d.Faults, a, func(a app.Actor) (coupon.State, error) {
		return s.app.Coupons.Update(c.Request.Context(), a, coupon.ID{UUID: id}, change)
	})
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.coupon(a, changed)})
}

// couponChange reads what the document says of a coupon.
func couponChange(d *request.Document) coupon.Change {
	return coupon.Change{
		Code: d.Text("code"), Currency: d.Text("currency_code"),
		StartOn: request.Attribute(d, "start_on", dayOf), EndOn: request.Attribute(d, "end_on", endOf),
		Format: request.Attribute(d, "format", formatOf), Value: request.Attribute(d, "value", valueOf),
		MaximumUsages: request.Attribute(d, "maximum_usages", request.IntegerOf), Enabled: request.Attribute(d, "enabled", request.BoolOf),
	}
}

func dayOf(name string, v jsonapi.Value) (time.Time, error) {
	day, err := request.TextOf(name, v)
	if err != nil {
		return time.Time{}, err
	}
	return coupon.ParseDay(name, day)
}

// endOf is dayOf for a day that need not be: null, or blank, is none.
func endOf(name string, v jsonapi.Value) (time.Time, error) {
	if day, err := request.TextOf(name, v); err == nil && day == "" {
		return time.Time{}, nil
	}
	return dayOf(name, v)
}

func formatOf(name string, v jsonapi.Value) (coupon.Format, error) {
	format, err := request.TextOf(name, v)
	if err != nil {
		return coupon.Format{}, err
	}
	return coupon.ParseFormat(format)
}

func valueOf(name string, v jsonapi.Value) (coupon.Value, error) {
	number, err := request.NumberOf(name, v)
	if err != nil {
		return 0, err
	}
	return coupon.ParseValue(number)
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

func (s *server) coupon(_ app.Actor, c coupon.State) jsonapi.Resource {
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
			Teaching:   s.links.couponTeaching(id),
		},
	}
}
