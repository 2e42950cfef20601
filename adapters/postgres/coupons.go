package postgres

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/coupon"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.CouponRepo = couponRepo{}

type couponRow struct {
	ID            uuid.UUID  `db:"id"`
	Code          string     `db:"code"`
	Currency      string     `db:"currency_code"`
	Enabled       bool       `db:"enabled"`
	StartOn       time.Time  `db:"start_on"`
	EndOn         *time.Time `db:"end_on"`
	Format        string     `db:"format"`
	Value         string     `db:"value"`
	UsagesCount   int64      `db:"usages_count"`
	MaximumUsages int64      `db:"maximum_usages"`
	CreatedAt     time.Time  `db:"created_at"`
	UpdatedAt     time.Time  `db:"updated_at"`
}

func (r couponRow) state() (coupon.State, error) {
	format, err := coupon.ParseFormat(r.Format)
	if err != nil {
		return coupon.State{}, pgdb.Corrupt(coupon.Type, r.ID, err)
	}
	// The column has as many decimal places as a Value.
	value, err := strconv.ParseInt(strings.Replace(r.Value, ".", "", 1), 10, 64)
	if err != nil {
		return coupon.State{}, pgdb.Corrupt(coupon.Type, r.ID, err)
	}
	return coupon.State{
		ID: coupon.ID{UUID: r.ID}, Code: r.Code, Currency: r.Currency, Enabled: r.Enabled,
		StartOn: r.StartOn.UTC(), EndOn: pgdb.UTC(r.EndOn), Format: format, Value: coupon.Value(value),
		UsagesCount: r.UsagesCount, MaximumUsages: r.MaximumUsages,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

var couponColumns = listsql.RowColumns[couponRow]()

var couponList = listsql.New(listsql.Definition{
	Table:   "coupons",
	Columns: couponColumns,
	Attrs: map[string]listsql.Column{
		"uuid":           {Expr: "r.id"},
		"code":           listsql.TextColumn("code"),
		"currency_code":  {Expr: "r.currency_code", Fold: "lower(r.currency_code)"}, // the code has only letters A to Z
		"enabled":        {Expr: "r.enabled"},
		"start_on":       {Expr: "r.start_on"},
		"end_on":         {Expr: "r.end_on"},
		"format":         {Expr: "r.format", Fold: "r.format"},
		"value":          {Expr: "r.value"},
		"usages_count":   {Expr: "r.usages_count"},
		"maximum_usages": {Expr: "r.maximum_usages"},
	},
	Sort: coupon.Schema.Default(),
}, couponRow.state)

var couponTable = newTable("coupons", []column[coupon.State]{
	{"id", "uuid", func(s coupon.State) any { return s.ID.UUID }},
	{"code", "text", func(s coupon.State) any { return s.Code }},
	{"code_key", "text", func(s coupon.State) any { return text.UniqueKey(s.Code) }},
	{"code_fold", "text", func(s coupon.State) any { return text.Fold(s.Code) }},
	{"currency_code", "text", func(s coupon.State) any { return s.Currency }},
	{"enabled", "boolean", func(s coupon.State) any { return s.Enabled }},
	{"start_on", "date", func(s coupon.State) any { return s.StartOn }},
	{"end_on", "date", func(s coupon.State) any { return s.EndOn }},
	{"format", "text", func(s coupon.State) any { return s.Format.String() }},
	{"value", "numeric", func(s coupon.State) any { return s.Value.String() }},
	{"usages_count", "bigint", func(s coupon.State) any { return s.UsagesCount }},
	{"maximum_usages", "bigint", func(s coupon.State) any { return s.MaximumUsages }},
	{"created_at", "timestamptz", func(s coupon.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s coupon.State) any { return s.UpdatedAt }},
})

var couponRecords = uniqueRecords[couponRow, coupon.State, coupon.Coupon]{
	table: couponTable, columns: couponColumns, toState: couponRow.state, restore: coupon.Restore,
	typeName: coupon.Type, field: "code", key: "code_key",
	keyOf:   func(s coupon.State) string { return text.UniqueKey(s.Code) },
	getLock: "FOR NO KEY UPDATE", manyLock: "FOR KEY SHARE",
}.prepared()

type couponRepo struct {
	uniqueRepo[coupon.ID, couponRow, coupon.State, coupon.State, coupon.Coupon]
}

const deleteCoupon = `DELETE FROM coupons WHERE school_id = $1 AND id = $2`

// IDsByCode implements ports.CouponRepo.
func (r couponRepo) IDsByCode(ctx context.Context, codes []string) (map[string]coupon.ID, error) {
	return r.idsByKey(ctx, uniqueKeys(codes))
}

// Delete implements ports.CouponRepo.
func (r couponRepo) Delete(ctx context.Context, id coupon.ID) error {
	return r.session.deleteOne(ctx, deleteCoupon, id.UUID)
}
