package lists

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// includable maps each relationship whose resources can be included to the path of a single
// resource, to which the id is appended. {v} is the version. If the path is blank, the included
// resources are not compared with single resources.
var includable = map[string]string{
	"activity": "/v2/activities/", "activities": "/v2/activities/", "assignment": "", "categories": "/{v}/categories/", "coupon": "/{v}/coupons/",
	"course": "/{v}/courses/", "group": "/{v}/groups/", "instructor_partnerships": "/v2/partnerships/", "partnerships": "/v2/partnerships/",
	"person": "/{v}/people/", "quiz": "/{v}/quizzes/", "record": "", "school": "/v2/school",
}

type compound struct {
	Data     []json.RawMessage
	Included []json.RawMessage
	Meta     *struct{ Total int }
}

// Include checks the included resources of each list. They must be exactly the resources that the
// relationships name, without duplicates and equal to the results of single GETs.
func Include(t *testing.T, s *fixture.Server) {
	s.Define(t, "people", "city", "text", "")
	included := map[string]bool{}
	for _, path := range append(routes.Collections(), subLists...) {
		plain := s.Get(t, path+"?limit=1000")
		names := map[string]bool{}
		for _, r := range fixture.Parse[compound](t, plain.Body).Data {
			for name := range fixture.Parse[fixture.Identified](t, string(r)).Relationships {
				names[name] = true
			}
		}
		for name := range names {
			t.Run(path+" "+name, func(t *testing.T) {
				is := is.New(t)
				single, can := includable[name]
				a := s.Get(t, path+"?limit=1000&include="+name)
				if !can {
					is.Equal(a.Failures(t), []string{`400 include unknown path "` + name + `"`})
					return
				}
				got := fixture.Parse[compound](t, a.Body)
				is.Equal(got.Data, fixture.Parse[compound](t, plain.Body).Data)
				wanted, primary := map[string]bool{}, map[string]bool{}
				for _, r := range got.Data {
					row := fixture.Parse[fixture.Identified](t, string(r))
					if id, ok := row.ID.(string); ok {
						primary[row.Type+" "+id] = true
					}
					for _, to := range row.Related(name) {
						wanted[to.Type+" "+to.ID.(string)] = true
					}
				}
				var order []string
				for _, r := range got.Included {
					row := fixture.Parse[fixture.Identified](t, string(r))
					key := row.Type + " " + row.ID.(string)
					is.True(wanted[key] && !primary[key]) // a relationship names the resource, and the list does not contain it
					order = append(order, key)
					included[name] = true
					if single == "" {
						continue
					}
					at := strings.ReplaceAll(single, "{v}", strings.Split(path, "/")[1])
					if name != "school" {
						at += row.ID.(string)
					}
					want := strings.TrimSuffix(strings.TrimPrefix(s.Get(t, at).Body, `{"data":`), "}")
					if name == "instructor_partnerships" {
						want = strings.Replace(want, `"type":"partnerships"`, `"type":"instructor_partnerships"`, 1)
					}
					is.Equal(string(r), want)
				}
				is.True(slices.IsSorted(order))
				is.Equal(len(slices.Compact(order)), len(got.Included)) // no resource is included twice
				is.Equal(len(got.Included), len(wanted))
			})
		}
	}
	is.New(t).Equal(len(included), len(includable))

	t.Run("single documents", func(t *testing.T) {
		is := is.New(t)
		plain := s.Get(t, "/v2/memberships/"+records.AdaInDesigners).Body
		a := s.Get(t, "/v2/memberships/"+records.AdaInDesigners+"?include=group,person.school").Body
		is.True(strings.HasPrefix(a, strings.TrimSuffix(plain, "}")+`,"included":[{"type":"groups"`))
		var types []string
		for _, r := range fixture.Parse[struct{ Included []json.RawMessage }](t, a).Included {
			types = append(types, fixture.Parse[fixture.Identified](t, string(r)).Type)
		}
		is.Equal(types, []string{"groups", "people", "schools"})
		is.Equal(s.Get(t, "/v2/memberships/"+records.AdaInDesigners+"?include=").Body, strings.TrimSuffix(plain, "}")+`,"included":[]}`)
		is.Equal(s.Get(t, "/v2/memberships/"+records.TheirMembership+"?include=person").Status, 404)
	})
	t.Run("a path back to the resources of the list includes none of them", func(t *testing.T) {
		is := is.New(t)
		for _, r := range fixture.Parse[compound](t, s.Get(t, "/v2/people?limit=1000&include=partnerships.person").Body).Included {
			is.Equal(fixture.Parse[fixture.Identified](t, string(r)).Type, "partnerships")
		}
	})
	t.Run("errors", func(t *testing.T) {
		is := is.New(t)
		for path, want := range map[string]string{
			"/v2/analytics/courses?include=what":                                  `400 include unknown path "what"`,
			"/v2/analytics/courses?include=person.what":                           `400 include unknown path "person.what"`,
			"/v2/analytics/courses?include=course_attempt":                        `400 include unknown path "course_attempt"`,
			"/v2/analytics/courses?include=course.instructor_partnerships.person": `400 include unknown path "course.instructor_partnerships.person"`,
			"/v2/analytics/courses?include=person.":                               `400 include unknown path "person."`,
			"/v2/categories?include=courses":                                      `400 include unknown path "courses"`,
			"/v2/categories/" + records.Design + "?include=courses":               `400 include unknown path "courses"`,
			"/v2/people?include[x]=school":                                        "400 include[x] is not supported; lists support page, limit, q, sort, cursor, filter[…], include, fields[…] and count",
			"/v2/people?fields=name":                                              "400 fields is not a valid fieldset, such as fields[people]=name,email",
			"/v2/people?fields[]=name":                                            "400 fields[] is not a valid fieldset, such as fields[people]=name,email",
			"/v2/people?fields[courses]=name":                                     "400 fields[courses] this response has no resources of this type",
			"/v2/people?fields[people]=name,what":                                 `400 fields[people] unknown attribute or relationship "what"`,
			"/v2/people?count=yes":                                                "400 count must be true or false",
			"/v2/people?include=school&include=partnerships":                      "400 include is given more than once, with different values",
			"/v2/people/" + records.Ada + "?fields[courses]=name":                 "400 fields[courses] this response has no resources of this type",
		} {
			is.Equal(s.Get(t, path).Failures(t), []string{want})
		}
		is.Equal(s.CSV(t, "GET", "/v2/people?include=school").Failures(t), []string{"400 include is not supported for CSV"})
		is.Equal(s.CSV(t, "GET", "/v2/people?count=true").Failures(t), []string{"400 count is not supported for CSV"})
	})
}
