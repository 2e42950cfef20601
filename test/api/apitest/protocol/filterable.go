package protocol

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// filterable checks that the description of each list names the attributes of its filters, and has
// the parameter q if and only if the list can be searched.
func filterable(t *testing.T, s *fixture.Server) {
	var document struct {
		Paths map[string]struct {
			Get struct {
				Description string
				Parameters  []struct {
					Ref  string `json:"$ref"`
					Name string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(s.Request("GET", "/openapi.json").As("").Send(t).Body), &document); err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, r := range routes.All {
		list := document.Paths[strings.Replace(r.Path, ":id", "{id}", 1)].Get
		var filters, searched bool
		for _, p := range list.Parameters {
			filters = filters || strings.HasSuffix(p.Ref, "/Filter")
			searched = searched || p.Name == "q"
		}
		if !filters {
			continue
		}
		lists++
		t.Run(r.Path, func(t *testing.T) {
			is := is.New(t)
			_, named, _ := strings.Cut(list.Description, "Can be filtered by ")
			var names []string
			for _, m := range regexp.MustCompile("`([a-z_.]+)`").FindAllStringSubmatch(named, -1) {
				names = append(names, m[1])
			}
			unknown := `unknown attribute "x"; known attributes: ` + strings.Join(names, ", ")
			is.Equal(s.Get(t, r.Of(r.ID)+"?filter[x]=1").Failures(t), []string{"400 filter[x] " + unknown})

			const nothing = `},"data":[]` // the empty data of a list, after its links
			all, found := s.Get(t, r.Of(r.ID)), s.Get(t, r.Of(r.ID)+"?q=nowhere+at+all")
			is.True(!strings.Contains(all.Body, nothing))
			is.Equal(strings.Contains(found.Body, nothing), searched)
		})
	}
	is.New(t).True(lists > 25)
}
