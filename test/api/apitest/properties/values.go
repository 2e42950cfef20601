package properties

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Values checks that documents of all four resources contain the defined properties, and
// that clients can set them.
func Values(t *testing.T, s *fixture.Server) {
	for _, r := range []struct{ resource, path, create, made string }{
		{"people", "/v2/people/" + records.Ada, "/v2/people", `"email":"new@example.test"`},
		{"courses", "/v2/courses/" + records.Drawing, "/v2/courses", `"name":"New"`},
		{"groups", "/v2/groups/" + records.Designers, "/v2/groups", `"name":"New"`},
		{"school", "/v2/school", "", ""},
	} {
		t.Run(r.resource, func(t *testing.T) {
			is := is.New(t)
			set := func(values string) fixture.Response {
				return s.Send(t, "PATCH", r.path, `{"data":{"attributes":{"properties":`+values+`}}}`)
			}
			is.Equal(set(`{"city":1}`).Failures(t), []string{"422 /data/attributes/properties/city unknown property"})
			is.Equal(strings.Contains(s.Get(t, r.path).Body, `"properties"`), r.resource == "school") // only the school has a property at the start
			for name, typ := range map[string]string{"city": "text", "rating": "number", "remote": "boolean", "hired": "date"} {
				s.Define(t, r.resource, name, typ, "")
			}
			s.Define(t, r.resource, "level", "one_of", `"values":["junior","senior"]`)
			const none = `"properties":{"city":null,"hired":null,"level":null,"rating":null,`
			is.True(strings.Contains(s.Get(t, r.path).Body, none))

			s.Clock.Advance(1e9)
			const all = `{"city":" Zürich <&> ","rating":1.50,"remote":false,"hired":"2026-01-31","level":"senior"}`
			const shown = `"properties":{"city":"Zürich <&>","hired":"2026-01-31","level":"senior","rating":1.5,`
			changed := set(all)
			is.Equal(changed.Status, 200)
			is.True(strings.Contains(changed.Body, shown))
			is.True(strings.Contains(changed.Body, `"remote":false}`))
			is.Equal(s.Get(t, r.path).Body, changed.Body)
			s.Clock.Advance(1e9)
			is.Equal(set(all).Body, changed.Body) // not even updated_at has changed
			is.Equal(set(`{}`).Body, changed.Body)
			if r.create != "" {
				made := s.Send(t, "POST", r.create, `{"data":{"attributes":{`+r.made+`,"properties":`+all+`}}}`)
				is.Equal(made.Status, 201)
				is.True(strings.Contains(made.Body, shown))
			}

			const p = "422 /data/attributes/properties"
			for values, want := range map[string]string{
				`{"city":7}`:             p + "/city must be a string",
				`{"city":"a\u0001"}`:     p + "/city contains a control character",
				`{"city":{}}`:            p + "/city must be a string",
				`{"rating":"7"}`:         p + "/rating must be a number",
				`{"rating":0.1234567}`:   p + "/rating has too many decimal places (maximum is 6)",
				`{"rating":1e13}`:        p + "/rating must be between -1000000000000 and 1000000000000",
				`{"remote":"true"}`:      p + "/remote must be true or false",
				`{"hired":"2026-02-30"}`: p + "/hired is not a valid date, such as 2026-01-31",
				`{"level":"Senior"}`:     p + "/level must be one of: junior, senior",
				`{"a.b/c~d":null}`:       p + "/a.b~1c~0d unknown property",
				`[]`:                     p + " must be an object",
				`null`:                   p + " must be an object",
				`{"city":"` + strings.Repeat("x", 1001) + `"}`: p + "/city is too long (maximum is 1000 characters)",
			} {
				is.Equal(set(values).Failures(t), []string{want})
			}
			is.Equal(set(`{"city":7,"level":1,"none":1}`).Failures(t), []string{
				p + "/city must be a string", p + "/level must be a string", p + "/none unknown property",
			})
			is.Equal(s.Get(t, r.path).Body, changed.Body)

			less := set(`{"city":" ","rating":null,"hired":null,"level":""}`) // merged with the existing values
			is.True(strings.Contains(less.Body, none))
			is.True(strings.Contains(less.Body, `"remote":false}`))
		})
	}
	t.Run("the region of the school", func(t *testing.T) {
		is.New(t).True(strings.Contains(s.Get(t, "/v2/school").Body, `"region":"EU"`))
	})
	t.Run("deleting a person deletes the values", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "PATCH", "/v2/people/"+records.Grace, `{"data":{"attributes":{"properties":{"city":"Secret"}}}}`).Status, 200)
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace, "").Status, 204)
		for _, d := range s.Get(t, "/v2/property_definitions?filter[resource][eq]=people&filter[name][eq]=city").Page(t).Data {
			refused := s.Send(t, "DELETE", "/v2/property_definitions/"+d.ID, "")
			is.True(strings.Contains(refused.Body, `"held":{"people":1}`)) // only the new person has a value
		}
	})
}
