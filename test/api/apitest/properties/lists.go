package properties

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Lists checks that clients can filter and sort lists by the properties that are defined as
// filterable, and by no other properties.
func Lists(t *testing.T, s *fixture.Server) {
	t.Run("undefined, and not filterable", func(t *testing.T) {
		is := is.New(t)
		s.Define(t, "people", "hidden", "text", "")
		s.Define(t, "groups", "city", "text", `"filterable":true`)
		is.Equal(s.Get(t, "/v2/people?filter[properties.hidden][eq]=x").Failures(t),
			[]string{"400 filter[properties.hidden][eq] properties.hidden is not filterable"})
		is.Equal(s.Get(t, "/v2/people?sort=-properties.hidden").Status, 400)
		for _, query := range []string{"filter[properties.city]=x", "filter[properties]=x", "filter[properties.]=x", "sort=properties.city", "sort=properties"} {
			is.Equal(s.Get(t, "/v2/people?"+query).Status, 400)
			is.True(strings.Contains(s.Get(t, "/v2/people?"+query).Body, "unknown attribute"))
		}
	})

	for name, typ := range map[string]string{"city": "text", "rating": "number", "remote": "boolean", "hired": "date"} {
		s.Define(t, "people", name, typ, `"filterable":true`)
	}
	for id, values := range map[string]string{
		records.Ada:   `{"city":"Zürich","rating":2.5,"remote":true,"hired":"2026-01-31"}`,
		records.Grace: `{"city":"zurich","rating":-1,"remote":false}`,
		records.Alan:  `{"city":"Bern","rating":2.5,"hired":"2025-12-01"}`,
	} {
		if set := s.Send(t, "PATCH", "/v2/people/"+id, `{"data":{"attributes":{"properties":`+values+`}}}`); set.Status != 200 {
			t.Fatal(set.Body)
		}
	}
	who := map[string]string{records.Ada: "ada", records.Grace: "grace", records.Alan: "alan", records.Olga: "olga"}
	names := func(t *testing.T, path string) string {
		t.Helper()
		got := s.Get(t, path).IDs(t)
		for id, name := range who {
			got = strings.ReplaceAll(got, id, name)
		}
		return got
	}
	for query, want := range map[string]string{
		"filter[properties.city][eq]=Zürich":                                      "ada",
		"filter[properties.city]=ZUR":                                             "ada grace",
		"filter[properties.city][not_eq]=Bern":                                    "ada grace",
		"filter[properties.city][in][]=Bern&filter[properties.city][in][]=zurich": "alan grace",
		"filter[properties.city][null]=true":                                      "olga",
		"filter[properties.city][lt]=c":                                           "alan",
		"filter[properties.rating][eq]=2.50":                                      "ada alan",
		"filter[properties.rating][lt]=0":                                         "grace",
		"filter[properties.remote][eq]=true":                                      "ada",
		"filter[properties.remote][not_eq]=true":                                  "grace",
		"filter[properties.hired][gteq]=2026-01-01":                               "ada",
		"filter[properties.hired]=2025-12-01":                                     "alan",
		"filter[or][properties.hired][null]=true&filter[or][email][start]=ada":    "ada grace olga",
		"sort=properties.rating":                                                  "grace ada alan olga",
		"sort=-properties.rating":                                                 "ada alan grace olga",
		"sort=properties.city,-properties.rating":                                 "alan ada grace olga",
		"sort=-properties.hired":                                                  "ada alan grace olga",
		"q=zurich":                                                                "",
	} {
		t.Run(query, func(t *testing.T) {
			for _, list := range []string{"/v2/people", "/v1/people"} {
				is.New(t).Equal(names(t, list+"?"+strings.ReplaceAll(query, "ü", "%C3%BC")), want)
			}
		})
	}

	t.Run("walked by cursors", func(t *testing.T) {
		is := is.New(t)
		for _, sort := range []string{"properties.city", "-properties.rating", "properties.hired", "-properties.remote"} {
			var walked []string
			path := "/v2/people?limit=1&sort=" + sort
			for range 5 {
				page := s.Get(t, path).Page(t)
				for _, d := range page.Data {
					walked = append(walked, d.ID)
				}
				if page.Links.Next == "" {
					break
				}
				path = strings.TrimPrefix(page.Links.Next, records.Base)
			}
			is.Equal(strings.Join(walked, " "), s.Get(t, "/v2/people?sort="+sort).IDs(t))
		}
	})
}
