package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// couponCreation checks creating coupons, and that all faults are reported together.
func couponCreation(t *testing.T, s *server) {
	post := func(t *testing.T, attributes string) response {
		t.Helper()
		return s.send(t, "POST", "/v2/coupons", `{"data":{"type":"coupons","attributes":`+attributes+`}}`)
	}
	const rest = `"currency_code":"EUR","start_on":"2026-01-01","format":"fixed","value":5,"maximum_usages":1`

	t.Run("created", func(t *testing.T) {
		is := is.New(t)
		a := post(t, `{"code":"Made",`+rest+`}`)
		is.Equal(a.status, 201)
		is.Equal(a.header.Get("Location"), base+"/v2/coupons/"+a.id(t))
		is.True(strings.Contains(a.body, `"enabled":true`))
		is.True(strings.Contains(a.body, `"usages_count":0`))
		is.Equal(s.get(t, "/v2/coupons/"+a.id(t)).body, a.body)
		is.True(strings.Contains(post(t, `{"code":"Off","enabled":false,"usages_count":7,`+rest+`}`).body, `"enabled":false`))
	})

	t.Run("rejected", func(t *testing.T) {
		before := s.get(t, "/v2/coupons").body
		for _, tt := range []struct {
			attributes string
			want       []string
		}{
			{`{}`, []string{
				"422 /data/attributes/value can't be blank", "422 /data/attributes/maximum_usages can't be blank",
				"422 /data/attributes/code can't be blank", "422 /data/attributes/currency_code can't be blank",
				"422 /data/attributes/start_on can't be blank", "422 /data/attributes/format can't be blank",
			}},
			{`{"code":"EARLY BIRD","enabled":7,` + strings.Replace(rest, "EUR", "E", 1) + `}`, []string{
				"422 /data/attributes/enabled must be true or false",
				"422 /data/attributes/currency_code is not a valid currency code, such as EUR",
				"422 /data/attributes/code A record with the given code has already been taken",
			}},
			{`{"code":"Late","end_on":"2025-12-31",` + rest + `}`, []string{
				"422 /data/attributes/end_on must not be before start_on (2026-01-01)",
			}},
		} {
			is := is.New(t)
			is.Equal(post(t, tt.attributes).failures(t), tt.want)
		}
		is := is.New(t)
		is.Equal(s.get(t, "/v2/coupons").body, before)
		is.Equal(s.send(t, "POST", "/v2/coupons", `{"data":{"type":"people"}}`).status, 409)
		is.Equal(s.send(t, "POST", "/v2/coupons", `{"data":{"id":"`+unknown+`"}}`).status, 403)
		is.Equal(s.send(t, "POST", "/v1/coupons", `{"data":{"type":"coupons"}}`).status, 405) // v1 has no such operation
	})
}

// redemptions checks redeeming coupons.
func redemptions(t *testing.T, s *server) {
	by := func(id string) string {
		return `{"data":{"type":"coupon_redemptions","relationships":{"person":{"data":{"type":"people","id":"` + id + `"}}}}}`
	}
	const path = "/v2/coupons/" + tenOff + "/redemptions"
	usages := func(t *testing.T) string { t.Helper(); return s.numbers(t, "/v2/coupons", "usages_count") }

	t.Run("a coupon that cannot be redeemed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", path, by(grace)).failures(t), []string{"422 /data The coupon is not active"})
		is.Equal(s.send(t, "POST", "/v2/coupons/"+earlyBird+"/redemptions", by(grace)).failures(t),
			[]string{"422 /data The coupon was valid until 2025-12-31"})
		is.Equal(usages(t), "3 7")
	})

	is.New(t).Equal(s.send(t, "PATCH", "/v2/coupons/"+tenOff, `{"data":{"attributes":{"enabled":true,"maximum_usages":9}}}`).status, 200)

	t.Run("an invalid document", func(t *testing.T) {
		for _, tt := range []struct {
			body string
			want []string
		}{
			{`{"data":{}}`, []string{"422 /data/relationships/person can't be blank"}},
			{`{"data":{"relationships":{"person":{"data":null}}}}`, []string{"422 /data/relationships/person can't be blank"}},
			{`{"data":{"relationships":{"person":{"data":[]}}}}`, []string{"422 /data/relationships/person/data must be an object with a type and an id"}},
			{`{"data":{"relationships":{"person":{"data":{"id":"` + ada + `"}}}}}`, []string{"422 /data/relationships/person/data/type can't be blank"}},
			{
				`{"data":{"type":"coupons","relationships":{"person":{"data":{"type":"learners","id":"` + ada + `"}}}}}`,
				[]string{"409 /data/type must be coupon_redemptions", "409 /data/relationships/person/data/type must be people"},
			},
			{by(unknown), []string{"404 /data/relationships/person/data/id " + missing}},
			{by("x"), []string{"404 /data/relationships/person/data/id " + missing}},
			{by(theirPerson), []string{"404 /data/relationships/person/data/id " + missing}},
		} {
			is := is.New(t)
			is.Equal(s.send(t, "POST", path, tt.body).failures(t), tt.want)
		}
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v2/coupons/"+unknown+"/redemptions", by(ada)).failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "POST", "/v2/coupons/"+earlyBird+"/redemptions", by(unknown)).failures(t), []string{
			"404 /data/relationships/person/data/id " + missing,
		})
		is.Equal(usages(t), "3 7")
	})

	t.Run("every redemption counts, including a person's second one", func(t *testing.T) {
		is := is.New(t)
		first := s.send(t, "POST", path, by(grace))
		is.Equal(first.status, 201)
		is.Equal(first.header.Get("Location"), base+"/v2/coupon_redemptions/"+first.id(t))
		is.Equal(s.get(t, "/v2/coupon_redemptions/"+first.id(t)).body, first.body)
		s.clock.Advance(1e9)
		second := s.send(t, "POST", path, by(grace))
		is.Equal(second.status, 201)
		is.Equal(usages(t), "3 9")
		is.Equal(s.send(t, "POST", path, by(ada)).failures(t),
			[]string{"422 /data The coupon has reached its maximum of 9 usages"})
		is.Equal(s.get(t, path).ids(t), second.id(t)+" "+first.id(t)+" "+adasRedemption) // newest first
		is.Equal(s.get(t, path+"?filter[person.id][eq]="+ada).ids(t), adasRedemption)
		is.Equal(s.get(t, path+"?filter[created_at][gt]=2026-01-01&limit=1").ids(t), second.id(t))
		is.Equal(s.get(t, path+"?q=lovelace").ids(t), adasRedemption)
		is.Equal(s.get(t, "/v2/coupons/"+earlyBird+"/redemptions").ids(t), "")
	})

	t.Run("deleting a person keeps the count, deleting a coupon deletes its redemptions", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v2/people/"+grace, "").status, 204)
		is.Equal(s.get(t, path).ids(t), adasRedemption)
		is.Equal(usages(t), "3 9")
		is.Equal(s.send(t, "DELETE", "/v2/coupons/"+tenOff, "").status, 204)
		is.Equal(s.get(t, path).status, 404)
		is.Equal(s.get(t, "/v2/coupon_redemptions/"+adasRedemption).status, 404)
	})
}
