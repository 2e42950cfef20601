package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/coupon"
	"lyceum/domain/query"
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
	value, err := coupon.ParseValue(r.Value)
	if err != nil {
		return coupon.State{}, pgdb.Corrupt(coupon.Type, r.ID, err)
	}
	return coupon.State{
		ID: coupon.ID{UUID: r.ID}, Code: r.Code, Currency: r.Currency, Enabled: r.Enabled,
		StartOn: r.StartOn.UTC(), EndOn: pgdb.Utc(r.EndOn), Format: format, Value: value,
		UsagesCount: r.UsagesCount, MaximumUsages: r.MaximumUsages,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

const couponColumns = `r.id, r.code, r.currency_code, r.enabled, r.start_on, r.end_on, r.format, r.value,
	r.usages_count, r.maximum_usages, r.created_at, r.updated_at`

var couponList = listsql.List[couponRow, coupon.State]{
	Table:   "coupons",
	Columns: couponColumns,
	Attrs: map[string]listsql.Column{
		"uuid":           {Expr: "r.id"},
		"code":           listsql.TextColumn("code"),
		"currency_code":  {Expr: "r.currency_code", Fold: "lower(r.currency_code)"}, // A to Z, whatever the language
		"enabled":        {Expr: "r.enabled"},
		"start_on":       {Expr: "r.start_on"},
		"end_on":         {Expr: "r.end_on"},
		"format":         {Expr: "r.format", Fold: "r.format"},
		"value":          {Expr: "r.value"},
		"usages_count":   {Expr: "r.usages_count"},
		"maximum_usages": {Expr: "r.maximum_usages"},
	},
	Sort:    coupon.Schema.Default(),
	Convert: couponRow.state,
}

type couponReader struct{ *session }

// List returns a page of coupons.
func (c couponReader) List(ctx context.Context, q query.Query) (query.Result[coupon.State], error) {
	return couponList.Page(ctx, c.session, q)
}

// Get returns the coupon id.
func (c couponReader) Get(ctx context.Context, id coupon.ID) (coupon.State, error) {
	return couponList.One(ctx, c.session, id.UUID)
}

type couponRepo struct{ couponReader }

const lockCoupon = `SELECT ` + couponColumns + ` FROM coupons r
	WHERE r.school_id = $1 AND r.id = $2 FOR NO KEY UPDATE`

// Find returns the coupon id and locks it.
func (c couponRepo) Find(ctx context.Context, id coupon.ID) (coupon.Coupon, error) {
	var row couponRow
	if err := c.GetRow(ctx, &row, lockCoupon, c.SchoolID, id.UUID); err != nil {
		return coupon.Coupon{}, pgdb.Missing(err)
	}
	s, err := row.state()
	return coupon.Restore(s), err
}

const (
	addCoupon = `
		INSERT INTO coupons (school_id, id, code, code_key, code_fold, currency_code, enabled, start_on, end_on,
			format, value, usages_count, maximum_usages, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
		ON CONFLICT (school_id, code_key) DO NOTHING`
	saveCoupon = `
		UPDATE coupons SET code = $3, code_key = $4, code_fold = $5, currency_code = $6, enabled = $7,
			start_on = $8, end_on = $9, format = $10, value = $11, usages_count = $12, maximum_usages = $13,
			created_at = $14, updated_at = $15
		WHERE school_id = $1 AND id = $2`
	removeCoupon = `DELETE FROM coupons WHERE school_id = $1 AND id = $2`
)

var couponRivals = rivalsOf("coupons", "code_key")

func (c couponRepo) args(s coupon.State) []any {
	return []any{
		c.SchoolID, s.ID.UUID, s.Code, text.Key(s.Code), text.Fold(s.Code), s.Currency, s.Enabled, s.StartOn, s.EndOn,
		s.Format.String(), s.Value.String(), s.UsagesCount, s.MaximumUsages, s.CreatedAt, s.UpdatedAt,
	}
}

func (c couponRepo) code(s coupon.State) unique {
	return unique{field: "code", holder: coupon.Type, rivals: couponRivals, value: text.Key(s.Code)}
}

// Add keeps a new coupon.
func (c couponRepo) Add(ctx context.Context, added coupon.Coupon) error {
	s := added.State()
	return c.add(ctx, c.code(s), s.ID.UUID, addCoupon, c.args(s)...)
}

// Save keeps a changed coupon.
func (c couponRepo) Save(ctx context.Context, changed coupon.Coupon) error {
	s := changed.State()
	return c.save(ctx, c.code(s), s.ID.UUID, saveCoupon, c.args(s)...)
}

// Remove forgets the coupon id.
func (c couponRepo) Remove(ctx context.Context, id coupon.ID) error {
	return c.remove(ctx, removeCoupon, id.UUID)
}
