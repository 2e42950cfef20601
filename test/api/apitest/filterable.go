package apitest

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// filterable checks that the description of each list names the attributes of its filters, and has
// the parameter q if and only if the list can be searched.
func filterable(t *testing.T, s *server) {
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
	if err := json.Unmarshal([]byte(s.request("GET", "/openapi.json").as("").send(t).body), &document); err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, r := range resources {
		list := document.Paths[strings.Replace(r.path, ":id", "{id}", 1)].Get
		var filters, searched bool
		for _, p := range list.Parameters {
			filters = filters || strings.HasSuffix(p.Ref, "/Filter")
			searched = searched || p.Name == "q"
		}
		if !filters {
			continue
		}
		lists++
		t.Run(r.path, func(t *testing.T) {
			is := is.New(t)
			_, named, _ := strings.Cut(list.Description, "Can be filtered by ")
			var names []string
			for _, m := range regexp.MustCompile("`([a-z_.]+)`").FindAllStringSubmatch(named, -1) {
				names = append(names, m[1])
			}
			unknown := `unknown attribute "x"; known attributes: ` + strings.Join(names, ", ")
			is.Equal(s.get(t, r.of(r.id)+"?filter[x]=1").failures(t), []string{"400 filter[x] " + unknown})

			const nothing = `},"data":[]` // the empty data of a list, after its links
			all, found := s.get(t, r.of(r.id)), s.get(t, r.of(r.id)+"?q=nowhere+at+all")
			is.True(!strings.Contains(all.body, nothing))
			is.Equal(strings.Contains(found.body, nothing), searched)
		})
	}
	is.New(t).True(lists > 25)
}
