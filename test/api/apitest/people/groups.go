package people

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Groups checks creating, updating and deleting groups.
func Groups(t *testing.T, s *fixture.Server) {
	t.Run("create, update and delete", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":" Painters ","membership_count":7}}}`)
		is.Equal(made.Status, 201)
		path := "/v1/groups/" + made.ID(t)
		is.Equal(made.Header.Get("Location"), records.Base+path)
		is.True(strings.Contains(made.Body, `"name":"Painters"`))
		is.Equal(s.Get(t, path).Body, made.Body)
		is.Equal(s.Numbers(t, "/v1/groups?filter[uuid]="+made.ID(t), "membership_count"), "0")

		s.Clock.Advance(1e9)
		changed := s.Send(t, "PATCH", path, `{"data":{"type":"groups","id":"`+strings.ToUpper(made.ID(t))+`","attributes":{"name":"The painters"}}}`)
		is.Equal(changed.Status, 200)
		is.Equal(s.Get(t, path).Body, changed.Body)
		is.True(changed.Body != made.Body)

		s.Clock.Advance(1e9)
		is.Equal(s.Send(t, "PUT", path, `{"data":{"attributes":{"name":"The painters"}}}`).Body, changed.Body) // not even updated_at has changed
		is.Equal(s.Send(t, "PUT", path, `{"data":{}}`).Body, changed.Body)

		is.Equal(s.Send(t, "DELETE", path, `{"data":{"type":"groups","uuid":"`+made.ID(t)+`"}}`).Status, 204)
		is.Equal(s.Get(t, path).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "DELETE", path, "").Status, 404)
		is.Equal(s.Send(t, "PUT", path, `{"data":{}}`).Status, 404)
	})

	t.Run("every record has its own enrollment link", func(t *testing.T) {
		is := is.New(t)
		seen := map[string]bool{}
		for _, name := range []string{"First", "Second"} {
			is.Equal(s.Send(t, "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":"`+name+`"}}}`).Status, 201)
		}
		for _, r := range s.Get(t, "/v1/groups").Page(t).Data {
			link, ok := r.Attributes["group_enrollment_link"].(string)
			is.True(ok)
			token, onSite := strings.CutPrefix(link, records.Academy+"/g/")
			is.True(onSite)
			is.Equal(len(token), 40)
			is.Equal(strings.Trim(token, "0123456789abcdef"), "")
			is.True(!seen[link])
			seen[link] = true
		}
	})

	const taken = "422 /data/attributes/name A record with the given name has already been taken"
	id := `"uuid":"` + records.Designers + `"`
	tests := []struct {
		name, method, path, body string
		want                     []string
	}{
		{"taken", "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":"SINGERS & dancers"}}}`, []string{taken}},
		{"taken", "PATCH", "/v1/groups/" + records.Designers, `{"data":{"type":"groups",` + id + `,"attributes":{"name":"singers & dancers "}}}`, []string{taken}},
		{"taken", "POST", "/v1/groups", `{"data":{"attributes":{"name":"SINGERS & dancers"}}}`, []string{"422 /data/type can't be blank", taken}},
		{"taken", "PATCH", "/v1/groups/" + records.Designers, `{"data":{"type":"x","attributes":{"name":"singers & dancers "}}}`, []string{
			"409 /data/type must be groups", "422 /data/uuid can't be blank", taken,
		}},
		{"no name", "POST", "/v1/groups", `{"data":{"type":"groups"}}`, []string{"422 /data/attributes/name can't be blank"}},
		{"every fault at once", "POST", "/v1/groups", `{"data":{"attributes":{"name":"a\u0000b"}}}`, []string{
			"422 /data/type can't be blank", "422 /data/attributes/name contains a control character",
		}},
		{"every fault at once", "PATCH", "/v1/groups/" + records.Designers, `{"data":{"type":"categories","uuid":"` + records.Singers + `","attributes":{"name":null}}}`, []string{
			"409 /data/type must be groups", "409 /data/uuid must match the id in the path", "422 /data/attributes/name can't be blank",
		}},
		{"no name to change", "PATCH", "/v1/groups/" + records.Designers, `{"data":{"attributes":{"members":1}}}`, []string{
			"422 /data/type can't be blank", "422 /data/uuid can't be blank",
		}},
		{"another type", "DELETE", "/v1/groups/" + records.Designers, `{"data":{"type":"memberships"}}`, []string{"409 /data/type must be groups"}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.Send(t, tt.method, tt.path, tt.body)
			is.Equal(a.Failures(t), tt.want)
			is.Equal(strings.Contains(a.Body, `"meta":{"original":{"type":"groups","uuid":"`+records.Singers+`"}}`), tt.name == "taken")
		})
	}

	t.Run("the case of a name can be changed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "PUT", "/v1/groups/"+records.Designers, `{"data":{"attributes":{"name":"DESIGNERS"}}}`).Status, 200)
	})
}
