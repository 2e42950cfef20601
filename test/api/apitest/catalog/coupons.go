package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Coupons checks the operations that only coupons have.
func Coupons(t *testing.T, s *fixture.Server) {
	t.Run("activation is idempotent and ignores the body", func(t *testing.T) {
		for _, v := range []string{"/v1", "/v2"} {
			is := is.New(t)
			path := v + "/coupons/" + records.TenOff
			is.Equal(s.Numbers(t, v+"/coupons", "enabled"), "true false")
			for i, body := range []string{"", "{}", `{"data":{"type":"people","uuid":"x"}}`, "rubbish"} {
				s.Clock.Advance(1e9)
				is.Equal(s.Send(t, "POST", path+"/activation", body).Status, 204)
				is.Equal(s.Numbers(t, v+"/coupons", "enabled"), "true true")
				if i > 0 {
					continue
				}
				a := s.Request("POST", path+"/activation").With("<a/>").Set("Content-Type", "text/xml").Send(t)
				is.Equal(a.Status, 204)
			}
			for _, body := range []string{"", "{}", `{"data":{"type":"people","uuid":"x"}}`, "rubbish"} {
				is.Equal(s.Send(t, "DELETE", path+"/activation", body).Status, 204)
				is.Equal(s.Numbers(t, v+"/coupons", "enabled"), "true false")
			}
		}
	})

	t.Run("activating an unknown coupon is 404", func(t *testing.T) {
		is := is.New(t)
		for _, id := range []string{records.Unknown, records.TheirCoupon, "x", "%00"} {
			for _, method := range []string{"POST", "DELETE"} {
				is.Equal(s.Send(t, method, "/v1/coupons/"+id+"/activation", "").Failures(t), []string{"404 " + fixture.Missing})
			}
		}
	})

	t.Run("created_at cannot be filtered or sorted by", func(t *testing.T) {
		is := is.New(t)
		for _, query := range []string{"filter[created_at][gt]=2025-01-01", "sort=updated_at"} {
			is.Equal(s.Get(t, "/v1/coupons?"+query).Status, 400)
		}
	})

	t.Run("the links and their methods exist", func(t *testing.T) {
		for _, v := range []string{"/v1", "/v2"} {
			is := is.New(t)
			coupon := s.Get(t, v+"/coupons?filter[uuid]="+records.TenOff).Page(t).Data[0]
			self, ok := coupon.Links["self"].(map[string]any)
			is.True(ok)
			is.Equal(self["methods"], []any{"get", "post", "delete"})
			is.Equal(self["href"], records.Base+v+"/coupons/"+records.TenOff)
			is.Equal(coupon.Links["activation"], records.Base+v+"/coupons/"+records.TenOff+"/activation")
			is.Equal(coupon.Links["teaching"], records.AppURL+"/coupons/"+records.TenOff)
			is.Equal(s.Send(t, "POST", strings.TrimPrefix(coupon.Links["activation"].(string), records.Base), "").Status, 204)
		}
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/coupons/"+records.TenOff).Status, 200)
		is.Equal(s.Send(t, "POST", "/v1/coupons/"+records.TenOff, `{"data":{"type":"coupons","uuid":"`+records.TenOff+`"}}`).Status, 200)
		is.Equal(s.Send(t, "DELETE", "/v1/coupons/"+records.TenOff, `{"data":{"type":"people"}}`).Failures(t), []string{"409 /data/type must be coupons"})
		is.Equal(s.Send(t, "DELETE", "/v1/coupons/"+records.TenOff, `{"data":{"uuid":"`+records.EarlyBird+`"}}`).Failures(t), []string{
			"409 /data/uuid must match the id in the path",
		})
		is.Equal(s.Send(t, "DELETE", "/v1/coupons/"+records.TenOff, `{"data":{"type":"coupons","uuid":"`+records.TenOff+`"}}`).Status, 204)
		is.Equal(s.Get(t, "/v2/coupons/"+records.TenOff).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "DELETE", "/v1/coupons/"+records.TenOff, "").Status, 404)
		is.Equal(s.Send(t, "PUT", "/v1/coupons/"+records.TenOff, `{"data":{}}`).Status, 404)
		is.Equal(s.Send(t, "POST", "/v1/coupons/"+records.TenOff+"/activation", "").Status, 404)
	})
}

// CouponChanges checks which attributes of a coupon can be changed, and the faults of invalid
// changes.
func CouponChanges(t *testing.T, s *fixture.Server) {
	path := "/v1/coupons/" + records.EarlyBird // has 3 of 100 usages and a value of 12.5%, and ends on 2025-12-31
	change := func(attributes string) string {
		return `{"data":{"type":"coupons","uuid":"` + records.EarlyBird + `","attributes":` + attributes + `}}`
	}
	tests := []struct {
		name, attributes string
		want             []string // expected faults; none: the update succeeds
		shows            string
	}{
		{"nothing", `{}`, nil, `"code":"Early Bird"`},
		{"read-only attributes are ignored", `{"usages_count":99,"created_at":"x"}`, nil, `"usages_count":3`},
		{"code", `{"code":" EARLY bird "}`, nil, `"code":"EARLY bird"`},
		{"currency", `{"currency_code":"chf"}`, nil, `"currency_code":"CHF"`},
		{"no end", `{"end_on":null}`, nil, `"end_on":null`},
		{"an end", `{"end_on":"2026-02-28"}`, nil, `"end_on":"2026-02-28"`},
		{"a blank end removes the end", `{"end_on":""}`, nil, `"end_on":null`},
		{"a start", `{"start_on":"2026-02-28"}`, nil, `"start_on":"2026-02-28"`},
		{"format and value", `{"format":"fixed","value":1234.5000}`, nil, `"format":"fixed","value":1234.5,`},
		{"the smallest value", `{"value":1e-4}`, nil, `"value":0.0001,`},
		{"the largest value", `{"value":1000000000.0}`, nil, `"value":1000000000,`},
		{"maximum equal to the usages so far", `{"maximum_usages":3}`, nil, `"usages_count":3,"maximum_usages":3`},
		{"the largest maximum", `{"maximum_usages":1000000000}`, nil, `"maximum_usages":1000000000`},
		{"disabled", `{"enabled":false}`, nil, `"enabled":false`},
		{"enabled", `{"enabled":true}`, nil, `"enabled":true`},

		{"taken", `{"code":"ten off <B>"}`, []string{"422 /data/attributes/code A record with the given code has already been taken"}, ""},
		{"a maximum below the usages so far", `{"code":"New","maximum_usages":2}`, []string{
			"422 /data/attributes/maximum_usages must be at least 3, the number of times the coupon has been used",
		}, ""},
		{"the end before the start", `{"end_on":"2026-02-27"}`, []string{
			"422 /data/attributes/end_on must not be before start_on (2026-02-28)",
		}, ""},
		{"format changed to percentage", `{"format":"percentage"}`, []string{
			"422 /data/attributes/format cannot be percentage while the value is 1000000000 (maximum is 100)",
		}, ""},
		{"a percentage above 100", `{"format":"percentage","value":100.01}`, []string{
			"422 /data/attributes/value must be at most 100 for a percentage",
		}, ""},
		{"null everywhere", `{"code":null,"currency_code":null,"start_on":null,"end_on":null,"format":null,"value":null,"maximum_usages":null,"enabled":null}`, []string{
			"422 /data/attributes/start_on can't be blank", "422 /data/attributes/format can't be blank",
			"422 /data/attributes/value can't be blank", "422 /data/attributes/maximum_usages can't be blank",
			"422 /data/attributes/enabled can't be blank", "422 /data/attributes/code can't be blank",
			"422 /data/attributes/currency_code can't be blank",
		}, ""},
		{"wrong types", `{"code":1,"currency_code":[],"start_on":20260101,"end_on":{},"format":true,"value":"12.5","maximum_usages":"7","enabled":1}`, []string{
			"422 /data/attributes/code must be a string", "422 /data/attributes/currency_code must be a string",
			"422 /data/attributes/start_on must be a string", "422 /data/attributes/end_on must be a string",
			"422 /data/attributes/format must be a string", "422 /data/attributes/value must be a number",
			"422 /data/attributes/maximum_usages must be a number", "422 /data/attributes/enabled must be true or false",
		}, ""},
		{"wrong values", `{"code":"a\u0000","currency_code":"€UR","start_on":"2026-02-30","end_on":"0000-01-01","format":"half","value":0,"maximum_usages":1.5}`, []string{
			"422 /data/attributes/start_on is not a valid date, such as 2026-01-31", "422 /data/attributes/end_on must be between the years 1970 and 9999",
			"422 /data/attributes/format must be one of: fixed, percentage", "422 /data/attributes/value must be greater than 0",
			"422 /data/attributes/maximum_usages must be a whole number, written in digits",
			"422 /data/attributes/code contains a control character",
			"422 /data/attributes/currency_code is not a valid currency code, such as EUR",
		}, ""},
		{"too large", `{"value":1e400,"maximum_usages":99999999999999999999}`, []string{
			"422 /data/attributes/value is not a valid number, such as 12.5", "422 /data/attributes/maximum_usages must be between 1 and 1000000000",
		}, ""},
		{"too small", `{"value":12.34567,"maximum_usages":-99999999999999999999}`, []string{
			"422 /data/attributes/value has too many decimal places (maximum is 4)", "422 /data/attributes/maximum_usages must be between 1 and 1000000000",
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			before := s.Get(t, path).Body
			a := s.Send(t, "PATCH", path, change(tt.attributes))
			if tt.want == nil {
				is.Equal(a.Status, 200)
				is.True(strings.Contains(a.Body, tt.shows))
				is.Equal(s.Get(t, path).Body, a.Body)
				return
			}
			is.Equal(a.Failures(t), tt.want)
			is.Equal(strings.Contains(a.Body, `"meta":{"original":{"type":"coupons","uuid":"`+records.TenOff+`"}}`), tt.name == "taken")
			is.Equal(s.Get(t, path).Body, before) // a rejected request changes nothing
		})
	}

	noType, noUUID := "422 /data/type can't be blank", "422 /data/uuid can't be blank"
	bare := `{"data":{"attributes":{"code":"Bare %"}}}`
	for _, tt := range []struct {
		request string
		want    []string
	}{
		{"PATCH /v1", []string{noType, noUUID}},
		{"POST /v1", []string{noType, noUUID}}, // POST is an alias of PATCH
		{"PUT /v1", nil},
		{"PATCH /v2", nil},
		{"POST /v2", nil},
		{"PUT /v2", nil},
	} {
		t.Run(tt.request+" without type and id", func(t *testing.T) {
			is := is.New(t)
			method, version, _ := strings.Cut(tt.request, " ")
			a := s.Send(t, method, version+"/coupons/"+records.EarlyBird, strings.Replace(bare, "%", tt.request, 1))
			is.Equal(a.Status == 200, tt.want == nil)
			if tt.want != nil {
				is.Equal(a.Failures(t), tt.want)
			}
			is.Equal(strings.Contains(a.Body, tt.request), tt.want == nil)
		})
	}

	t.Run("POST is an alias of PATCH", func(t *testing.T) {
		is := is.New(t)
		for _, attributes := range []string{`{"value":5.25}`, `{"code":""}`, `{"value":5.25,"enabled":false}`} {
			post, patch := s.Send(t, "POST", path, change(attributes)), s.Send(t, "PATCH", path, change(attributes))
			is.Equal(post.Status, patch.Status)
			is.Equal(post.Body, patch.Body)
		}
		conflict := s.Send(t, "POST", path, `{"data":{"type":"people","id":"`+records.TenOff+`"}}`).Failures(t)
		is.True(slices.Contains(conflict, "409 /data/type must be coupons"))
		is.True(slices.Contains(conflict, "409 /data/id must match the id in the path"))
		is.Equal(s.Send(t, "POST", path, "").Status, 400)
		is.Equal(s.Send(t, "POST", path, `{}`).Failures(t), []string{"422 /data must be an object"})
		is.Equal(s.Send(t, "POST", "/v1/coupons", change(`{}`)).Status, 405)
	})
}
