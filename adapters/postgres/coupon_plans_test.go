package postgres_test

import (
	"database/sql"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/coupon"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// couponPlans checks the plans of typical queries in a school with many coupons: pages in the order
// of the codes, one code, and part of a code.
func couponPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	_, err := db.ExecContext(t.Context(), `
		INSERT INTO coupons (school_id, id, code, code_key, code_fold, currency_code, enabled, start_on, format, value,
			usages_count, maximum_usages, created_at, updated_at)
		SELECT $1, gen_random_uuid(), c.code, lower(c.code), lower(c.code), 'EUR', true, '2026-01-01', 'fixed', 5,
			0, 1, now(), now()
		FROM (SELECT 'C' || md5(i::text) || CASE i WHEN 7 THEN ' zephyr' ELSE '' END FROM generate_series(1, 20000) i) c (code)`, id.UUID)
	is.NoErr(err)
	execute(t, db, `VACUUM ANALYZE coupons`)

	code := func(op query.Op, s string) query.Expr {
		return query.Cond{Attr: coupon.Schema.Attr("code"), Op: op, Values: []query.Value{{Text: s, Fold: text.Fold(s)}}}
	}
	for _, tt := range []struct {
		name    string
		query   query.Query
		generic bool
		indexes []string
	}{
		{"page 1", query.Query{}, true, []string{"coupons_by_code"}},
		{"a deep page", query.Query{Page: query.NewPage(500, 25)}, true, []string{"coupons_by_code", "coupons_pkey"}},
		{"one by code", query.Query{Where: code(query.Eq, "C0cc175b9c0f1b6a831c399e269772661")}, true, []string{"coupons_by_code"}},
		{"a rare substring", query.Query{Where: code(query.Cont, "Zephyr")}, false, []string{"coupons_code_words"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.CouponsSQL(tt.query, id)
			p := explain(t, db, statement, args, tt.generic)
			is.Equal(p.scanned(), nil)
			is.Equal(p.indexes("coupons_"), tt.indexes)
		})
	}
}
