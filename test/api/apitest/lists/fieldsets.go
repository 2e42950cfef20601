package lists

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// Fieldsets checks, for each list, that fields[type] selects attributes and relationships.
func Fieldsets(t *testing.T, s *fixture.Server) {
	type resource struct {
		Type                      string
		Attributes, Relationships map[string]json.RawMessage
	}
	for _, path := range append(routes.Collections(), subLists...) {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			whole := fixture.Parse[struct{ Data []resource }](t, s.Get(t, path).Body).Data
			is.True(len(whole) > 0)
			typ, named := whole[0].Type, map[string]bool{}
			for _, r := range whole {
				for name := range r.Attributes {
					named[name] = named[name] || r.Type == typ
				}
				for name := range r.Relationships {
					named[name] = named[name] || r.Type == typ
				}
			}
			maps.DeleteFunc(named, func(_ string, ofType bool) bool { return !ofType })
			names := slices.Sorted(maps.Keys(named))
			var all []string
			for i, name := range names {
				kept := map[string]bool{name: true, names[(i+2)%len(names)]: true}
				a := s.Get(t, fmt.Sprintf("%s?fields[%s]=%s", path, typ, strings.Join(slices.Sorted(maps.Keys(kept)), ",")))
				some := fixture.Parse[struct{ Data []resource }](t, a.Body).Data
				for j, r := range some {
					want := whole[j]
					if r.Type == typ {
						maps.DeleteFunc(want.Attributes, func(name string, _ json.RawMessage) bool { return !kept[name] })
						maps.DeleteFunc(want.Relationships, func(name string, _ json.RawMessage) bool { return !kept[name] })
					}
					is.Equal(len(r.Attributes), len(want.Attributes))
					is.Equal(len(r.Relationships), len(want.Relationships))
					for name, value := range r.Attributes {
						is.Equal(string(value), string(want.Attributes[name]))
					}
				}
				whole = fixture.Parse[struct{ Data []resource }](t, s.Get(t, path).Body).Data
				all = append(all, name)
			}
			plain := s.Get(t, path).Body
			every := s.Get(t, fmt.Sprintf("%s?fields[%s]=%s", path, typ, strings.Join(all, ","))).Body
			if len(whole[0].Relationships) > 0 || !strings.Contains(plain, `"relationships":{}`) {
				is.Equal(every[strings.Index(every, `"data"`):], plain[strings.Index(plain, `"data"`):]) // naming all fields changes nothing
			}
			none := s.Get(t, fmt.Sprintf("%s?fields[%s]=", path, typ)).Body
			is.True(strings.Contains(none, `"attributes":{}`))
		})
	}
	t.Run("CSV", func(t *testing.T) {
		is := is.New(t)
		is.Equal(recordsOf(t, s.CSV(t, "GET", "/v2/people?fields[people]=email,school").Body)[0], []string{"type", "id", "email", "school"})
		is.Equal(recordsOf(t, s.CSV(t, "GET", "/v2/people?limit=all&fields[people]=email").Body)[0], []string{"type", "id", "email"})
	})
	t.Run("links keep the parameters", func(t *testing.T) {
		is := is.New(t)
		links := s.Get(t, "/v2/people?limit=1&page=2&fields[people]=name&include=school&count=true").Page(t).Links
		for _, l := range []string{links.Self, links.Prev, links.Next} {
			is.True(strings.Contains(l, "?limit=1&fields%5Bpeople%5D=name&include=school&count=true"))
		}
	})
	t.Run("count", func(t *testing.T) {
		is := is.New(t)
		for _, path := range append(routes.Collections(), subLists...) {
			rows := len(fixture.Parse[compound](t, s.Get(t, path+"?limit=1000").Body).Data)
			for _, page := range []string{"limit=1", "limit=1000", "page=77"} {
				got := fixture.Parse[compound](t, s.Get(t, path+"?count=true&"+page).Body)
				is.Equal(got.Meta.Total, rows)
			}
			is.Equal(fixture.Parse[compound](t, s.Get(t, path+"?count=false").Body).Meta, nil)
		}
		found := fixture.Parse[compound](t, s.Get(t, "/v2/people?count=true&limit=1&q=a").Body)
		is.Equal(found.Meta.Total, len(fixture.Parse[compound](t, s.Get(t, "/v2/people?limit=1000&q=a").Body).Data))
	})
}
