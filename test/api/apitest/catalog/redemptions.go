package catalog

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// CouponCreation checks creating coupons, and that all faults are reported together.
func CouponCreation(t *testing.T, s *fixture.Server) {
	post := func(t *testing.T, attributes string) fixture.Response {
		t.Helper()
		return s.Send(t, "POST", "/v2/coupons", `{"data":{"type":"coupons","attributes":`+attributes+`}}`)
	}
	const rest = `"currency_code":"EUR","start_on":"2026-01-01","format":"fixed","value":5,"maximum_usages":1`

	t.Run("created", func(t *testing.T) {
		is := is.New(t)
		a := post(t, `{"code":"Made",`+rest+`}`)
		is.Equal(a.Status, 201)
		is.Equal(a.Header.Get("Location"), records.Base+"/v2/coupons/"+a.ID(t))
		is.True(strings.Contains(a.Body, `"enabled":true`))
		is.True(strings.Contains(a.Body, `"usages_count":0`))
		is.Equal(s.Get(t, "/v2/coupons/"+a.ID(t)).Body, a.Body)
		is.True(strings.Contains(post(t, `{"code":"Off","enabled":false,"usages_count":7,`+rest+`}`).Body, `"enabled":false`))
	})

	t.Run("rejected", func(t *testing.T) {
		before := s.Get(t, "/v2/coupons").Body
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
			is.Equal(post(t, tt.attributes).Failures(t), tt.want)
		}
		is := is.New(t)
		is.Equal(s.Get(t, "/v2/coupons").Body, before)
		is.Equal(s.Send(t, "POST", "/v2/coupons", `{"data":{"type":"people"}}`).Status, 409)
		is.Equal(s.Send(t, "POST", "/v2/coupons", `{"data":{"id":"`+records.Unknown+`"}}`).Status, 403)
		is.Equal(s.Send(t, "POST", "/v1/coupons", `{"data":{"type":"coupons"}}`).Status, 405) // v1 has no such operation
	})
}

// Redemptions checks redeeming coupons.
func Redemptions(t *testing.T, s *fixture.Server) {
	by := func(id string) string {
		return `{"data":{"type":"coupon_redemptions","relationships":{"person":{"data":{"type":"people","id":"` + id + `"}}}}}`
	}
	const path = "/v2/coupons/" + records.TenOff + "/redemptions"
	usages := func(t *testing.T) string { t.Helper(); return s.Numbers(t, "/v2/coupons", "usages_count") }

	t.Run("a coupon that cannot be redeemed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", path, by(records.Grace)).Failures(t), []string{"422 /data The coupon is not active"})
		is.Equal(s.Send(t, "POST", "/v2/coupons/"+records.EarlyBird+"/redemptions", by(records.Grace)).Failures(t),
			[]string{"422 /data The coupon was valid until 2025-12-31"})
		is.Equal(usages(t), "3 7")
	})

	is.New(t).Equal(s.Send(t, "PATCH", "/v2/coupons/"+records.TenOff, `{"data":{"attributes":{"enabled":true,"maximum_usages":9}}}`).Status, 200)

	t.Run("an invalid document", func(t *testing.T) {
		for _, tt := range []struct {
			body string
			want []string
		}{
			{`{"data":{}}`, []string{"422 /data/relationships/person can't be blank"}},
			{`{"data":{"relationships":{"person":{"data":null}}}}`, []string{"422 /data/relationships/person can't be blank"}},
			{`{"data":{"relationships":{"person":{"data":[]}}}}`, []string{"422 /data/relationships/person/data must be an object with a type and an id"}},
			{`{"data":{"relationships":{"person":{"data":{"id":"` + records.Ada + `"}}}}}`, []string{"422 /data/relationships/person/data/type can't be blank"}},
			{
				`{"data":{"type":"coupons","relationships":{"person":{"data":{"type":"learners","id":"` + records.Ada + `"}}}}}`,
				[]string{"409 /data/type must be coupon_redemptions", "409 /data/relationships/person/data/type must be people"},
			},
			{by(records.Unknown), []string{"404 /data/relationships/person/data/id " + fixture.Missing}},
			{by("x"), []string{"404 /data/relationships/person/data/id " + fixture.Missing}},
			{by(records.TheirPerson), []string{"404 /data/relationships/person/data/id " + fixture.Missing}},
		} {
			is := is.New(t)
			is.Equal(s.Send(t, "POST", path, tt.body).Failures(t), tt.want)
		}
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v2/coupons/"+records.Unknown+"/redemptions", by(records.Ada)).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "POST", "/v2/coupons/"+records.EarlyBird+"/redemptions", by(records.Unknown)).Failures(t), []string{
			"404 /data/relationships/person/data/id " + fixture.Missing,
		})
		is.Equal(usages(t), "3 7")
	})

	t.Run("every redemption counts, including a person's second one", func(t *testing.T) {
		is := is.New(t)
		first := s.Send(t, "POST", path, by(records.Grace))
		is.Equal(first.Status, 201)
		is.Equal(first.Header.Get("Location"), records.Base+"/v2/coupon_redemptions/"+first.ID(t))
		is.Equal(s.Get(t, "/v2/coupon_redemptions/"+first.ID(t)).Body, first.Body)
		s.Clock.Advance(1e9)
		second := s.Send(t, "POST", path, by(records.Grace))
		is.Equal(second.Status, 201)
		is.Equal(usages(t), "3 9")
		is.Equal(s.Send(t, "POST", path, by(records.Ada)).Failures(t),
			[]string{"422 /data The coupon has reached its maximum of 9 usages"})
		is.Equal(s.Get(t, path).IDs(t), second.ID(t)+" "+first.ID(t)+" "+records.AdasRedemption) // newest first
		is.Equal(s.Get(t, path+"?filter[person.id][eq]="+records.Ada).IDs(t), records.AdasRedemption)
		is.Equal(s.Get(t, path+"?filter[created_at][gt]=2026-01-01&limit=1").IDs(t), second.ID(t))
		is.Equal(s.Get(t, path+"?q=lovelace").IDs(t), records.AdasRedemption)
		is.Equal(s.Get(t, "/v2/coupons/"+records.EarlyBird+"/redemptions").IDs(t), "")
	})

	t.Run("deleting a person keeps the count, deleting a coupon deletes its redemptions", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace, "").Status, 204)
		is.Equal(s.Get(t, path).IDs(t), records.AdasRedemption)
		is.Equal(usages(t), "3 9")
		is.Equal(s.Send(t, "DELETE", "/v2/coupons/"+records.TenOff, "").Status, 204)
		is.Equal(s.Get(t, path).Status, 404)
		is.Equal(s.Get(t, "/v2/coupon_redemptions/"+records.AdasRedemption).Status, 404)
	})
}
