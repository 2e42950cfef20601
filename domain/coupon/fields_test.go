package coupon_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	s := spring(t)
	schematest.Attributes(t, coupon.Schema, s, map[string]string{
		"uuid":           "00000000-0000-0000-0000-000000000001",
		"code":           "Spring",
		"currency_code":  "EUR",
		"enabled":        "true",
		"start_on":       "2026-02-01",
		"end_on":         "2026-03-31",
		"format":         "fixed",
		"value":          "150.50",
		"usages_count":   "2",
		"maximum_usages": "5",
	})
	schematest.Search(t, coupon.Schema, s, []string{"PRING"}, []string{"eur", "fixed", "150"})
	is.Equal(schematest.Order(coupon.Schema), "code")
}
