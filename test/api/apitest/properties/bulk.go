package properties

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Bulk checks that rows set properties of new and existing people and groups. A row sets
// all its properties or none.
func Bulk(t *testing.T, s *fixture.Server) {
	for _, r := range []struct{ resource, subject, known, id, list string }{
		{"people", "email", "ada@example.test", records.Ada, "/v2/people?limit=100&filter[email][eq]="},
		{"groups", "name", "Designers", records.Designers, "/v2/groups?filter[name][eq]="},
	} {
		t.Run(r.resource, func(t *testing.T) {
			is := is.New(t)
			s.Define(t, r.resource, "level", "number", "")
			s.Define(t, r.resource, "department", "one_of", `"values":["Sales","Support"]`)
			s.Define(t, r.resource, "remote", "boolean", "")
			row := func(subject, more string) string { return `{"` + r.subject + `":"` + subject + `",` + more + `}` }
			unknown := map[string]string{"people": `"groups":"Unknown"`, "groups": `"courses":"unknown"`}[r.resource]
			target := map[string]string{"people": "groups", "groups": "courses"}[r.resource]
			s.Clock.Advance(1e9)
			a := s.ApplyBulk(t, r.resource, "["+strings.Join([]string{
				row(r.known, `"properties":{"level":1.50,"department":" Sales "}`),
				row(strings.ToUpper(r.known), `"properties":{"department":null,"remote":true}`), // applied after the previous row
				row("new@example.test", `"properties":{"level":"7","city":1,"a/b":2}`),          // creates no record
				row("new@example.test", `"properties":{"department":"sales"}`),
				row("new@example.test", `"properties":{"level":7},`+unknown),
				row("new@example.test", `"properties":{"level":8}`),
				row("new@example.test", `"properties":{"level":9},`+unknown),
				row("new@example.test", `"properties":{"remote":false}`),
				row("none@example.test", `"properties":[]`),
				row("none@example.test", `"properties":null`),
				row("none@example.test", `"properties":{"level":"\ud800","remote":[]}`),
				row("none@example.test", `"properties":{"level":{},"remote":[]}`),
				row("plain@example.test", `"properties":{}`),
				row("plain@example.test", `"properties":{"level":`+strings.Repeat("1", 13)+`}`),
			}, ",")+"]")
			at := "422 /data/attributes/" + r.resource + "/"
			is.Equal(a.RowErrors(t), []string{
				at + "2/properties/a~1b unknown property",
				at + "3/properties/department must be one of: Sales, Support",
				at + "4/" + target + " " + map[string]string{"people": "is not the name of a group", "groups": "is not the id or permalink of a course"}[r.resource],
				at + "6/" + target + " " + map[string]string{"people": "is not the name of a group", "groups": "is not the id or permalink of a course"}[r.resource],
				at + "8/properties must be an object",
				at + "9/properties must be an object",
				at + "10/properties/level is not valid UTF-8",
				at + "11/properties/level must be a number",
				at + "11/properties/remote must be true or false",
				at + "13/properties/level must be between -1000000000000 and 1000000000000",
			})
			known := s.Get(t, "/v2/"+r.resource+"/"+r.id)
			is.True(strings.Contains(known.Body, `"properties":{"department":null,"level":1.5,"remote":true}`))
			is.True(strings.Contains(s.Get(t, r.list+"new@example.test").Body, `"properties":{"department":null,"level":8,"remote":false}`))
			is.True(strings.Contains(s.Get(t, r.list+"plain@example.test").Body, `"properties":{"department":null,"level":null,"remote":null}`))
			is.Equal(len(s.Get(t, r.list+"none@example.test").Page(t).Data), 0)

			s.Clock.Advance(1e9)
			s.ApplyBulk(t, r.resource, `[`+row(r.known, `"properties":{"level":1.5}`)+`]`)
			is.Equal(s.Get(t, "/v2/"+r.resource+"/"+r.id).Body, known.Body) // not even updated_at has changed
		})
	}
}
