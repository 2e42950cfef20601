package httpapi

import (
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
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
	changed, err := try(d.faults, a, func(a app.Actor) (coupon.State, error) {
		return s.app.Coupons.Update(c.Request.Context(), a, coupon.ID{UUID: id}, change)
	})
	if err != nil {
		return err
	}
	return s.ok(c, jsonapi.Single{Data: s.coupon(a, changed)})
}

// couponChange reads what the document says of a coupon.
func couponChange(d *document) coupon.Change {
	return coupon.Change{
		Code: d.text("code"), Currency: d.text("currency_code"),
		StartOn: attribute(d, "start_on", dayOf), EndOn: attribute(d, "end_on", endOf),
		Format: attribute(d, "format", formatOf), Value: attribute(d, "value", valueOf),
		MaximumUsages: attribute(d, "maximum_usages", wholeOf), Enabled: attribute(d, "enabled", truthOf),
	}
}

func dayOf(name string, v jsonapi.Value) (time.Time, error) {
	day, err := textOf(name, v)
	if err != nil {
		return time.Time{}, err
	}
	return coupon.ParseDay(name, day)
}

// endOf is dayOf for a day that need not be: null, or blank, is none.
func endOf(name string, v jsonapi.Value) (time.Time, error) {
	if day, err := textOf(name, v); err == nil && day == "" {
		return time.Time{}, nil
	}
	return dayOf(name, v)
}

func formatOf(name string, v jsonapi.Value) (coupon.Format, error) {
	format, err := textOf(name, v)
	if err != nil {
		return coupon.Format{}, err
	}
	return coupon.ParseFormat(format)
}

func valueOf(name string, v jsonapi.Value) (coupon.Value, error) {
	number, err := numberOf(name, v)
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
