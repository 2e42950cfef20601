package properties

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Definitions checks creating, updating and deleting definitions, and when existing values prevent
// an update or a deletion.
func Definitions(t *testing.T, s *fixture.Server) {
	const list, attributes = "/v2/property_definitions", "422 /data/attributes/"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", `{"data":{}}`, []string{attributes + "resource can't be blank", attributes + "name can't be blank", attributes + "kind can't be blank"}},
		{"unknown words", bodies.Definition("coupons", "Cost Center", "list", ""), []string{
			attributes + "resource must be one of: people, courses, groups, school",
			attributes + "kind must be one of: text, number, boolean, date, one_of",
			attributes + "name must start with a lowercase letter and contain only lowercase letters, digits and underscores, for example cost_center",
		}},
		{"a name that is taken", bodies.Definition("school", "region", "text", ""), []string{attributes + "name A record with the given name has already been taken"}},
		{"one of nothing", bodies.Definition("people", "level", "one_of", ""), []string{attributes + "values can't be blank"}},
		{"values of a text", bodies.Definition("people", "level", "text", `"values":["a"]`), []string{attributes + "values is allowed only for the kind one_of"}},
		{"values that are invalid", bodies.Definition("people", "level", "one_of", `"values":["a"," a",""]`), []string{
			attributes + "values/1 is used more than once", attributes + "values/2 can't be blank",
		}},
		{"values that are no array", bodies.Definition("people", "level", "one_of", `"values":"a"`), []string{attributes + "values must be an array"}},
	} {
		t.Run("refused: "+tt.name, func(t *testing.T) { is.New(t).Equal(s.Send(t, "POST", list, tt.body).Failures(t), tt.want) })
	}

	t.Run("a definition in use is changed only as its values allow", func(t *testing.T) {
		is := is.New(t)
		path := s.Define(t, "people", "level", "one_of", `"values":["junior","senior"]`)
		is.Equal(s.Send(t, "PATCH", "/v2/people/"+records.Ada, `{"data":{"attributes":{"properties":{"level":"junior"}}}}`).Status, 200)
		for body, want := range map[string]string{
			`{"kind":"text"}`:                     attributes + "kind cannot be changed while records have a value (currently 1)",
			`{"values":["senior"]}`:               attributes + "values must include every value in use (records with a missing value: 1)",
			`{"name":"grade"}`:                    attributes + "name cannot be changed: it is level",
			`{"resource":"groups"}`:               attributes + "resource cannot be changed: it is people",
			`{"kind":null}`:                       attributes + "kind must be one of: text, number, boolean, date, one_of",
			`{"values":["junior"],"kind":"date"}`: attributes + "values is allowed only for the kind one_of",
		} {
			is.Equal(s.Send(t, "PATCH", path, `{"data":{"attributes":`+body+`}}`).Failures(t), []string{want})
		}
		is.Equal(s.Send(t, "PUT", path, `{"data":{"attributes":{"values":["junior"],"filterable":true}}}`).Status, 200)
		is.Equal(s.Send(t, "PATCH", "/v2/people/"+records.Ada, `{"data":{"attributes":{"properties":{"level":null}}}}`).Status, 200)
		is.Equal(s.Send(t, "PATCH", path, `{"data":{"attributes":{"kind":"date"}}}`).Status, 200)
		is.Equal(s.Send(t, "DELETE", path, "").Status, 204)
		is.Equal(s.Send(t, "DELETE", path, "").Status, 404)
	})

	t.Run("a definition with values is deleted only with force", func(t *testing.T) {
		is := is.New(t)
		path := s.Define(t, "people", "level", "text", "")
		for _, id := range []string{records.Ada, records.Grace} {
			is.Equal(s.Send(t, "PATCH", "/v2/people/"+id, `{"data":{"attributes":{"properties":{"level":"x"}}}}`).Status, 200)
		}
		refused := s.Send(t, "DELETE", path, "")
		is.Equal(refused.Status, 409)
		is.True(strings.Contains(refused.Body, `"meta":{"held":{"people":2}}`))
		is.Equal(s.Send(t, "DELETE", path+"?force=1", "").Failures(t), []string{"400 force must be true or false"})
		gone := s.Send(t, "DELETE", path+"?force=true", "")
		is.Equal(gone.Status, 200)
		is.Equal(gone.Body, `{"meta":{"removed":{"people":2}}}`)
		after := s.Get(t, "/v2/people/"+records.Ada)
		is.True(!strings.Contains(after.Body, "properties"))
		s.Define(t, "people", "level", "text", "")
		is.True(strings.Contains(s.Get(t, "/v2/people/"+records.Ada).Body, `"properties":{"level":null}`)) // a new definition does not restore the value
	})

	t.Run("at most fifty for each resource", func(t *testing.T) {
		is := is.New(t)
		for i := range 50 {
			s.Define(t, "groups", fmt.Sprintf("p%d", i), "text", "")
		}
		is.Equal(s.Send(t, "POST", list, bodies.Definition("groups", "one_more", "text", "")).Failures(t),
			[]string{attributes + "resource has too many definitions (maximum is 50)"})
		s.Define(t, "courses", "another", "text", "")
	})
}
