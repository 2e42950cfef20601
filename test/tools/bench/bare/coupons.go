package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

type couponRow struct {
	ID       uuid.UUID   `db:"id"`
	Code     string      `db:"code"`
	Currency string      `db:"currency_code"`
	Enabled  bool        `db:"enabled"`
	Start    time.Time   `db:"start_on"`
	End      *time.Time  `db:"end_on"`
	Format   string      `db:"format"`
	Value    json.Number `db:"value"`
	Usages   int64       `db:"usages_count"`
	Maximum  int64       `db:"maximum_usages"`
}

type couponAttributes struct {
	Code     string      `json:"code"`
	Currency string      `json:"currency_code"`
	Enabled  bool        `json:"enabled"`
	Start    string      `json:"start_on"`
	End      *string     `json:"end_on"`
	Format   string      `json:"format"`
	Value    json.Number `json:"value"`
	Usages   int64       `json:"usages_count"`
	Maximum  int64       `json:"maximum_usages"`
}

type couponLinks struct {
	Self       link   `json:"self"`
	Activation string `json:"activation"`
	Teaching   string `json:"teaching"`
}

type coupon = resource[couponAttributes, struct{}, couponLinks]

const fromCoupons = `
	SELECT id, code, currency_code, enabled, start_on, end_on, format, trim_scale(value) AS value, usages_count, maximum_usages
	FROM coupons WHERE school_id = $1 ORDER BY code_fold, id LIMIT 26`

func (b *bare) coupons(ctx context.Context, on gin.IRoutes) error {
	return list[couponRow, coupon]{path: "/v1/coupons", first: fromCoupons, any: fromCoupons + ` OFFSET $2`, show: b.coupon}.add(ctx, b, on)
}

func (b *bare) coupon(r couponRow) coupon {
	self := b.base + "/v1/coupons/" + r.ID.String()
	attributes := couponAttributes{
		Code: r.Code, Currency: r.Currency, Enabled: r.Enabled, Start: r.Start.Format(time.DateOnly),
		Format: r.Format, Value: r.Value, Usages: r.Usages, Maximum: r.Maximum,
	}
	if r.End != nil {
		end := r.End.Format(time.DateOnly)
		attributes.End = &end
	}
	return coupon{
		Type: "coupons", ID: r.ID, Attributes: attributes,
		Links: couponLinks{
			link{self, []string{"get", "post", "delete"}}, self + "/activation", b.base + "/coupons/" + r.ID.String(),
		},
	}
}
