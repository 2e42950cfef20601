package protocol

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// VersionParity checks that v2 has every resource of v1 in the same form, that links in v2 lead to
// v2, and that type and id are optional.
func VersionParity(t *testing.T, s *fixture.Server) {
	for _, r := range routes.All {
		twin, ok := r.Twin()
		if !ok || !r.Readable() {
			continue
		}
		t.Run(r.Path+" has the shape of its twin", func(t *testing.T) {
			is := is.New(t)
			of2, of1 := s.Get(t, r.Of(r.ID)).Body, s.Get(t, twin.Of(r.ID)).Body
			inV1 := func(body string) string { return strings.ReplaceAll(body, records.Base+"/v2/", records.Base+"/v1/") }
			is.Equal(inV1(of2), inV1(of1)) // changed in both versions, because some paths exist only in v2
			is.True(!strings.Contains(of2, records.Base+"/v1/"))
		})
	}

	t.Run("links of pages stay within v2", func(t *testing.T) {
		is := is.New(t)
		p := s.Get(t, "/v2/groups?limit=1").Page(t)
		is.Equal(p.Links.Self, records.Base+"/v2/groups?limit=1")
		is.Equal(fixture.WithoutCursor(p.Links.Next), records.Base+"/v2/groups?limit=1&page=2")
	})

	t.Run("a course by its permalink", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v2/courses/drawing").Body, s.Get(t, "/v2/courses/"+records.Drawing).Body)
		is.True(strings.Contains(s.Get(t, "/v2/courses/drawing").Body, `"self":"`+records.Base+`/v2/courses/drawing"`))
	})

	for _, noun := range []struct{ plural, one, other string }{
		{"groups", records.Singers, records.Designers}, {"categories", records.Design, records.Music},
	} {
		t.Run(noun.plural, func(t *testing.T) { checkParity(t, s, noun.plural, noun.one, noun.other) })
	}
}

// checkParity creates, updates and deletes records of a resource with a name through v2. one and
// other are ids of existing records.
func checkParity(t *testing.T, s *fixture.Server, noun, one, other string) {
	list, path := "/v2/"+noun, "/v2/"+noun+"/"+one
	t.Run("the Location header names the new record", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", list, `{"data":{"attributes":{"name":"Of v2"}}}`)
		is.Equal(made.Status, 201)
		is.Equal(made.Header.Get("Location"), records.Base+list+"/"+made.ID(t))
		is.Equal(made.Header.Get("Location"), fixture.OwnLink.FindStringSubmatch(made.Body)[1])
		is.Equal(s.Get(t, list+"/"+made.ID(t)).Body, made.Body)
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
		{"an id chosen by the client", "POST", list, `{"data":{"id":"` + records.Unknown + `"}}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
		{"no attributes", "POST", list, `{"data":{}}`, []string{"422 /data/attributes/name can't be blank"}},
		{"no data", "POST", list, `{}`, []string{"422 /data must be an object"}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.Send(t, tt.method, tt.path, tt.body)
			if tt.want == nil {
				is.True(a.Status == http.StatusOK || a.Status == http.StatusCreated)
				return
			}
			is.Equal(a.Failures(t), tt.want)
		})
	}

	t.Run("changes through one version appear in the other", func(t *testing.T) {
		is := is.New(t)
		var single struct {
			Data struct{ Attributes struct{ Name string } }
		}
		is.NoErr(json.Unmarshal([]byte(s.Get(t, "/v1/"+noun+"/"+one).Body), &single))
		is.Equal(single.Data.Attributes.Name, "Changed")
		is.Equal(s.Send(t, "DELETE", path, "").Status, 204)
		is.Equal(s.Get(t, "/v1/"+noun+"/"+one).Status, 404)
	})
}
