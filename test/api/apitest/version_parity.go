package apitest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// versionParity checks that v2 has every resource of v1 in the same form, that links in v2 lead to
// v2, and that type and id are optional.
func versionParity(t *testing.T, s *server) {
	for _, r := range resources {
		twin, ok := r.twin()
		if !ok || !r.readable() {
			continue
		}
		t.Run(r.path+" has the shape of its twin", func(t *testing.T) {
			is := is.New(t)
			of2, of1 := s.get(t, r.of(r.id)).body, s.get(t, twin.of(r.id)).body
			inV1 := func(body string) string { return strings.ReplaceAll(body, base+"/v2/", base+"/v1/") }
			is.Equal(inV1(of2), inV1(of1)) // changed in both versions, because some paths exist only in v2
			is.True(!strings.Contains(of2, base+"/v1/"))
		})
	}

	t.Run("links of pages stay within v2", func(t *testing.T) {
		is := is.New(t)
		p := s.get(t, "/v2/groups?limit=1").page(t)
		is.Equal(p.Links.Self, base+"/v2/groups?limit=1")
		is.Equal(withoutCursor(p.Links.Next), base+"/v2/groups?limit=1&page=2")
	})

	t.Run("a course by its permalink", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v2/courses/drawing").body, s.get(t, "/v2/courses/"+drawing).body)
		is.True(strings.Contains(s.get(t, "/v2/courses/drawing").body, `"self":"`+base+`/v2/courses/drawing"`))
	})

	for _, noun := range []struct{ plural, one, other string }{
		{"groups", singers, designers}, {"categories", design, music},
	} {
		t.Run(noun.plural, func(t *testing.T) { s.checkParity(t, noun.plural, noun.one, noun.other) })
	}
}

var ownLink = regexp.MustCompile(`"self":(?:\{"href":)?"([^"]*)"`)

// checkParity creates, updates and deletes records of a resource with a name through v2. one and
// other are ids of existing records.
func (s *server) checkParity(t *testing.T, noun, one, other string) {
	list, path := "/v2/"+noun, "/v2/"+noun+"/"+one
	t.Run("the Location header names the new record", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", list, `{"data":{"attributes":{"name":"Of v2"}}}`)
		is.Equal(made.status, 201)
		is.Equal(made.header.Get("Location"), base+list+"/"+made.id(t))
		is.Equal(made.header.Get("Location"), ownLink.FindStringSubmatch(made.body)[1])
		is.Equal(s.get(t, list+"/"+made.id(t)).body, made.body)
	})

	mustBe := "409 /data/type must be " + noun
	tests := []struct {
		name, method, path, body string
		want                     []string // expected faults; none: 200 or 201
	}{
		{"no type", "PATCH", path, `{"data":{"attributes":{"name":"Changed"}}}`, nil},
		{"no type", "PUT", path, `{"data":{}}`, nil},
		{"type and id", "PATCH", path, `{"data":{"type":"` + noun + `","id":"` + one + `"}}`, nil},
		{"type", "POST", list, `{"data":{"type":"` + noun + `","attributes":{"name":"New"}}}`, nil},
		{"blank type and id", "PATCH", path, `{"data":{"type":"","uuid":""}}`, nil},
		{"another type", "POST", list, `{"data":{"type":"people","attributes":{"name":"Newer"}}}`, []string{mustBe}},
		{"another type", "PATCH", path, `{"data":{"type":"people"}}`, []string{mustBe}},
		{"another id", "PATCH", path, `{"data":{"uuid":"` + other + `"}}`, []string{"409 /data/uuid must match the id in the path"}},
		{"another type", "DELETE", path, `{"data":{"type":"people"}}`, []string{mustBe}},
		{"an id chosen by the client", "POST", list, `{"data":{"id":"` + unknown + `"}}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
		{"no attributes", "POST", list, `{"data":{}}`, []string{"422 /data/attributes/name can't be blank"}},
		{"no data", "POST", list, `{}`, []string{"422 /data must be an object"}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.send(t, tt.method, tt.path, tt.body)
			if tt.want == nil {
				is.True(a.status == http.StatusOK || a.status == http.StatusCreated)
				return
			}
			is.Equal(a.failures(t), tt.want)
		})
	}

	t.Run("changes through one version appear in the other", func(t *testing.T) {
		is := is.New(t)
		var single struct {
			Data struct{ Attributes struct{ Name string } }
		}
		is.NoErr(json.Unmarshal([]byte(s.get(t, "/v1/"+noun+"/"+one).body), &single))
		is.Equal(single.Data.Attributes.Name, "Changed")
		is.Equal(s.send(t, "DELETE", path, "").status, 204)
		is.Equal(s.get(t, "/v1/"+noun+"/"+one).status, 404)
	})
}
