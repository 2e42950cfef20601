package apitest

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// coupons checks the operations that only coupons have.
func coupons(t *testing.T, s *server) {
	t.Run("activation is idempotent and ignores the body", func(t *testing.T) {
		for _, v := range []string{"/v1", "/v2"} {
			is := is.New(t)
			path := v + "/coupons/" + tenOff
			is.Equal(s.numbers(t, v+"/coupons", "enabled"), "true false")
			for i, body := range []string{"", "{}", `{"data":{"type":"people","uuid":"x"}}`, "rubbish"} {
				s.clock.Advance(1e9)
				is.Equal(s.send(t, "POST", path+"/activation", body).status, 204)
				is.Equal(s.numbers(t, v+"/coupons", "enabled"), "true true")
				if i > 0 {
					continue
				}
				a := s.request("POST", path+"/activation").with("<a/>").set("Content-Type", "text/xml").send(t)
				is.Equal(a.status, 204)
			}
			for _, body := range []string{"", "{}", `{"data":{"type":"people","uuid":"x"}}`, "rubbish"} {
				is.Equal(s.send(t, "DELETE", path+"/activation", body).status, 204)
				is.Equal(s.numbers(t, v+"/coupons", "enabled"), "true false")
			}
		}
	})

	t.Run("activating an unknown coupon is 404", func(t *testing.T) {
		is := is.New(t)
		for _, id := range []string{unknown, theirCoupon, "x", "%00"} {
			for _, method := range []string{"POST", "DELETE"} {
				is.Equal(s.send(t, method, "/v1/coupons/"+id+"/activation", "").failures(t), []string{"404 " + missing})
			}
		}
	})

	t.Run("created_at cannot be filtered or sorted by", func(t *testing.T) {
		is := is.New(t)
		for _, query := range []string{"filter[created_at][gt]=2025-01-01", "sort=updated_at"} {
			is.Equal(s.get(t, "/v1/coupons?"+query).status, 400)
		}
	})

	t.Run("the links and their methods exist", func(t *testing.T) {
		for _, v := range []string{"/v1", "/v2"} {
			is := is.New(t)
			coupon := s.get(t, v+"/coupons?filter[uuid]="+tenOff).page(t).Data[0]
			self, ok := coupon.Links["self"].(map[string]any)
			is.True(ok)
			is.Equal(self["methods"], []any{"get", "post", "delete"})
			is.Equal(self["href"], base+v+"/coupons/"+tenOff)
			is.Equal(coupon.Links["activation"], base+v+"/coupons/"+tenOff+"/activation")
			is.Equal(coupon.Links["teaching"], appURL+"/coupons/"+tenOff)
			is.Equal(s.send(t, "POST", strings.TrimPrefix(coupon.Links["activation"].(string), base), "").status, 204)
		}
		is := is.New(t)
		is.Equal(s.get(t, "/v1/coupons/"+tenOff).status, 200)
		is.Equal(s.send(t, "POST", "/v1/coupons/"+tenOff, `{"data":{"type":"coupons","uuid":"`+tenOff+`"}}`).status, 200)
		is.Equal(s.send(t, "DELETE", "/v1/coupons/"+tenOff, `{"data":{"type":"people"}}`).failures(t), []string{"409 /data/type must be coupons"})
		is.Equal(s.send(t, "DELETE", "/v1/coupons/"+tenOff, `{"data":{"uuid":"`+earlyBird+`"}}`).failures(t), []string{
			"409 /data/uuid must match the id in the path",
		})
		is.Equal(s.send(t, "DELETE", "/v1/coupons/"+tenOff, `{"data":{"type":"coupons","uuid":"`+tenOff+`"}}`).status, 204)
		is.Equal(s.get(t, "/v2/coupons/"+tenOff).failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "DELETE", "/v1/coupons/"+tenOff, "").status, 404)
		is.Equal(s.send(t, "PUT", "/v1/coupons/"+tenOff, `{"data":{}}`).status, 404)
		is.Equal(s.send(t, "POST", "/v1/coupons/"+tenOff+"/activation", "").status, 404)
	})
}

// couponChanges checks which attributes of a coupon can be changed, and the faults of invalid
// changes.
func couponChanges(t *testing.T, s *server) {
	path := "/v1/coupons/" + earlyBird // has 3 of 100 usages and a value of 12.5%, and ends on 2025-12-31
	change := func(attributes string) string {
		return `{"data":{"type":"coupons","uuid":"` + earlyBird + `","attributes":` + attributes + `}}`
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
			before := s.get(t, path).body
			a := s.send(t, "PATCH", path, change(tt.attributes))
			if tt.want == nil {
				is.Equal(a.status, 200)
				is.True(strings.Contains(a.body, tt.shows))
				is.Equal(s.get(t, path).body, a.body)
				return
			}
			is.Equal(a.failures(t), tt.want)
			is.Equal(strings.Contains(a.body, `"meta":{"original":{"type":"coupons","uuid":"`+tenOff+`"}}`), tt.name == "taken")
			is.Equal(s.get(t, path).body, before) // a rejected request changes nothing
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
			a := s.send(t, method, version+"/coupons/"+earlyBird, strings.Replace(bare, "%", tt.request, 1))
			is.Equal(a.status == 200, tt.want == nil)
			if tt.want != nil {
				is.Equal(a.failures(t), tt.want)
			}
			is.Equal(strings.Contains(a.body, tt.request), tt.want == nil)
		})
	}

	t.Run("POST is an alias of PATCH", func(t *testing.T) {
		is := is.New(t)
		for _, attributes := range []string{`{"value":5.25}`, `{"code":""}`, `{"value":5.25,"enabled":false}`} {
			post, patch := s.send(t, "POST", path, change(attributes)), s.send(t, "PATCH", path, change(attributes))
			is.Equal(post.status, patch.status)
			is.Equal(post.body, patch.body)
		}
		conflict := s.send(t, "POST", path, `{"data":{"type":"people","id":"`+tenOff+`"}}`).failures(t)
		is.True(slices.Contains(conflict, "409 /data/type must be coupons"))
		is.True(slices.Contains(conflict, "409 /data/id must match the id in the path"))
		is.Equal(s.send(t, "POST", path, "").status, 400)
		is.Equal(s.send(t, "POST", path, `{}`).failures(t), []string{"422 /data must be an object"})
		is.Equal(s.send(t, "POST", "/v1/coupons", change(`{}`)).status, 405)
	})
}
