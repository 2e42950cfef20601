package apitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// definition returns the body of a request that creates or updates a definition of a property. more
// contains further attributes as JSON; blank: none.
func definition(resource, name, kind, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"data":{"type":"property_definitions","attributes":{"resource":%q,"name":%q,"kind":%q%s}}}`, resource, name, kind, more)
}

// define adds a definition and returns its path.
func (s *server) define(t *testing.T, resource, name, kind, more string) string {
	t.Helper()
	made := s.send(t, "POST", "/v2/property_definitions", definition(resource, name, kind, more))
	if made.status != 201 {
		t.Fatal(made.body)
	}
	return "/v2/property_definitions/" + made.id(t)
}

// properties checks creating, updating and deleting definitions, and when existing values prevent
// an update or a deletion.
func properties(t *testing.T, s *server) {
	const list, attributes = "/v2/property_definitions", "422 /data/attributes/"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", `{"data":{}}`, []string{attributes + "resource can't be blank", attributes + "name can't be blank", attributes + "kind can't be blank"}},
		{"unknown words", definition("coupons", "Cost Center", "list", ""), []string{
			attributes + "resource must be one of: people, courses, groups, school",
			attributes + "kind must be one of: text, number, boolean, date, one_of",
			attributes + "name must start with a lowercase letter and contain only lowercase letters, digits and underscores, for example cost_center",
		}},
		{"a name that is taken", definition("school", "region", "text", ""), []string{attributes + "name A record with the given name has already been taken"}},
		{"one of nothing", definition("people", "level", "one_of", ""), []string{attributes + "values can't be blank"}},
		{"values of a text", definition("people", "level", "text", `"values":["a"]`), []string{attributes + "values is allowed only for the kind one_of"}},
		{"values that are invalid", definition("people", "level", "one_of", `"values":["a"," a",""]`), []string{
			attributes + "values/1 is used more than once", attributes + "values/2 can't be blank",
		}},
		{"values that are no array", definition("people", "level", "one_of", `"values":"a"`), []string{attributes + "values must be an array"}},
	} {
		t.Run("refused: "+tt.name, func(t *testing.T) { is.New(t).Equal(s.send(t, "POST", list, tt.body).failures(t), tt.want) })
	}

	t.Run("a definition in use is changed only as its values allow", func(t *testing.T) {
		is := is.New(t)
		path := s.define(t, "people", "level", "one_of", `"values":["junior","senior"]`)
		is.Equal(s.send(t, "PATCH", "/v2/people/"+ada, `{"data":{"attributes":{"properties":{"level":"junior"}}}}`).status, 200)
		for body, want := range map[string]string{
			`{"kind":"text"}`:                     attributes + "kind cannot be changed while records have a value (currently 1)",
			`{"values":["senior"]}`:               attributes + "values must include every value in use (records with a missing value: 1)",
			`{"name":"grade"}`:                    attributes + "name cannot be changed: it is level",
			`{"resource":"groups"}`:               attributes + "resource cannot be changed: it is people",
			`{"kind":null}`:                       attributes + "kind must be one of: text, number, boolean, date, one_of",
			`{"values":["junior"],"kind":"date"}`: attributes + "values is allowed only for the kind one_of",
		} {
			is.Equal(s.send(t, "PATCH", path, `{"data":{"attributes":`+body+`}}`).failures(t), []string{want})
		}
		is.Equal(s.send(t, "PUT", path, `{"data":{"attributes":{"values":["junior"],"filterable":true}}}`).status, 200)
		is.Equal(s.send(t, "PATCH", "/v2/people/"+ada, `{"data":{"attributes":{"properties":{"level":null}}}}`).status, 200)
		is.Equal(s.send(t, "PATCH", path, `{"data":{"attributes":{"kind":"date"}}}`).status, 200)
		is.Equal(s.send(t, "DELETE", path, "").status, 204)
		is.Equal(s.send(t, "DELETE", path, "").status, 404)
	})

	t.Run("a definition with values is deleted only with force", func(t *testing.T) {
		is := is.New(t)
		path := s.define(t, "people", "level", "text", "")
		for _, id := range []string{ada, grace} {
			is.Equal(s.send(t, "PATCH", "/v2/people/"+id, `{"data":{"attributes":{"properties":{"level":"x"}}}}`).status, 200)
		}
		refused := s.send(t, "DELETE", path, "")
		is.Equal(refused.status, 409)
		is.True(strings.Contains(refused.body, `"meta":{"held":{"people":2}}`))
		is.Equal(s.send(t, "DELETE", path+"?force=1", "").failures(t), []string{"400 force must be true or false"})
		gone := s.send(t, "DELETE", path+"?force=true", "")
		is.Equal(gone.status, 200)
		is.Equal(gone.body, `{"meta":{"removed":{"people":2}}}`)
		after := s.get(t, "/v2/people/"+ada)
		is.True(!strings.Contains(after.body, "properties"))
		s.define(t, "people", "level", "text", "")
		is.True(strings.Contains(s.get(t, "/v2/people/"+ada).body, `"properties":{"level":null}`)) // a new definition does not restore the value
	})

	t.Run("at most fifty for each resource", func(t *testing.T) {
		is := is.New(t)
		for i := range 50 {
			s.define(t, "groups", fmt.Sprintf("p%d", i), "text", "")
		}
		is.Equal(s.send(t, "POST", list, definition("groups", "one_more", "text", "")).failures(t),
			[]string{attributes + "resource has too many definitions (maximum is 50)"})
		s.define(t, "courses", "another", "text", "")
	})
}
