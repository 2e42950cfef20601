package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func groups(t *testing.T, s *server) {
	t.Run("create, update and delete", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":" Painters ","membership_count":7}}}`)
		is.Equal(made.status, 201)
		path := "/v1/groups/" + made.id(t)
		is.Equal(made.header.Get("Location"), base+path)
		is.True(strings.Contains(made.body, `"name":"Painters"`))
		is.Equal(s.get(t, path).body, made.body)
		is.Equal(s.numbers(t, "/v1/groups?filter[uuid]="+made.id(t), "membership_count"), "0")

		s.clock.Advance(1e9)
		changed := s.send(t, "PATCH", path, `{"data":{"type":"groups","id":"`+strings.ToUpper(made.id(t))+`","attributes":{"name":"The painters"}}}`)
		is.Equal(changed.status, 200)
		is.Equal(s.get(t, path).body, changed.body)
		is.True(changed.body != made.body)

		s.clock.Advance(1e9)
		is.Equal(s.send(t, "PUT", path, `{"data":{"attributes":{"name":"The painters"}}}`).body, changed.body) // not even updated_at has changed
		is.Equal(s.send(t, "PUT", path, `{"data":{}}`).body, changed.body)

		is.Equal(s.send(t, "DELETE", path, `{"data":{"type":"groups","uuid":"`+made.id(t)+`"}}`).status, 204)
		is.Equal(s.get(t, path).failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "DELETE", path, "").status, 404)
		is.Equal(s.send(t, "PUT", path, `{"data":{}}`).status, 404)
	})

	t.Run("every record has its own enrollment link", func(t *testing.T) {
		is := is.New(t)
		seen := map[string]bool{}
		for _, name := range []string{"First", "Second"} {
			is.Equal(s.send(t, "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":"`+name+`"}}}`).status, 201)
		}
		for _, r := range s.get(t, "/v1/groups").page(t).Data {
			link, ok := r.Attributes["group_enrollment_link"].(string)
			is.True(ok)
			token, onSite := strings.CutPrefix(link, academy+"/g/")
			is.True(onSite)
			is.Equal(len(token), 40)
			is.Equal(strings.Trim(token, "0123456789abcdef"), "")
			is.True(!seen[link])
			seen[link] = true
		}
	})

	const taken = "422 /data/attributes/name A record with the given name has already been taken"
	id := `"uuid":"` + designers + `"`
	tests := []struct {
		name, method, path, body string
		want                     []string
	}{
		{"taken", "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":"SINGERS & dancers"}}}`, []string{taken}},
		{"taken", "PATCH", "/v1/groups/" + designers, `{"data":{"type":"groups",` + id + `,"attributes":{"name":"singers & dancers "}}}`, []string{taken}},
		{"taken", "POST", "/v1/groups", `{"data":{"attributes":{"name":"SINGERS & dancers"}}}`, []string{"422 /data/type can't be blank", taken}},
		{"taken", "PATCH", "/v1/groups/" + designers, `{"data":{"type":"x","attributes":{"name":"singers & dancers "}}}`, []string{
			"409 /data/type must be groups", "422 /data/uuid can't be blank", taken,
		}},
		{"no name", "POST", "/v1/groups", `{"data":{"type":"groups"}}`, []string{"422 /data/attributes/name can't be blank"}},
		{"every fault at once", "POST", "/v1/groups", `{"data":{"attributes":{"name":"a\u0000b"}}}`, []string{
			"422 /data/type can't be blank", "422 /data/attributes/name contains a control character",
		}},
		{"every fault at once", "PATCH", "/v1/groups/" + designers, `{"data":{"type":"categories","uuid":"` + singers + `","attributes":{"name":null}}}`, []string{
			"409 /data/type must be groups", "409 /data/uuid must match the id in the path", "422 /data/attributes/name can't be blank",
		}},
		{"no name to change", "PATCH", "/v1/groups/" + designers, `{"data":{"attributes":{"members":1}}}`, []string{
			"422 /data/type can't be blank", "422 /data/uuid can't be blank",
		}},
		{"another type", "DELETE", "/v1/groups/" + designers, `{"data":{"type":"memberships"}}`, []string{"409 /data/type must be groups"}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.send(t, tt.method, tt.path, tt.body)
			is.Equal(a.failures(t), tt.want)
			is.Equal(strings.Contains(a.body, `"meta":{"original":{"type":"groups","uuid":"`+singers+`"}}`), tt.name == "taken")
		})
	}

	t.Run("the case of a name can be changed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "PUT", "/v1/groups/"+designers, `{"data":{"attributes":{"name":"DESIGNERS"}}}`).status, 200)
	})
}
