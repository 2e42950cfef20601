package apitest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
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

type identified struct {
	Type          string
	ID            any
	Relationships map[string]struct{ Data json.RawMessage }
}

// related returns the identifiers in a relationship.
func (r identified) related(name string) []identified {
	var many []identified
	if data := r.Relationships[name].Data; data != nil && json.Unmarshal(data, &many) != nil {
		many = make([]identified, 1)
		_ = json.Unmarshal(data, &many[0])
	}
	return many
}

func parse[T any](t *testing.T, body string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return v
}

// include checks the included resources of each list. They must be exactly the resources that the
// relationships name, without duplicates and equal to the results of single GETs.
func include(t *testing.T, s *server) {
	s.define(t, "people", "city", "text", "")
	included := map[string]bool{}
	for _, path := range append(collections(), subLists...) {
		plain := s.get(t, path+"?limit=1000")
		names := map[string]bool{}
		for _, r := range parse[compound](t, plain.body).Data {
			for name := range parse[identified](t, string(r)).Relationships {
				names[name] = true
			}
		}
		for name := range names {
			t.Run(path+" "+name, func(t *testing.T) {
				is := is.New(t)
				single, can := includable[name]
				a := s.get(t, path+"?limit=1000&include="+name)
				if !can {
					is.Equal(a.failures(t), []string{`400 include unknown path "` + name + `"`})
					return
				}
				got := parse[compound](t, a.body)
				is.Equal(got.Data, parse[compound](t, plain.body).Data)
				wanted, primary := map[string]bool{}, map[string]bool{}
				for _, r := range got.Data {
					row := parse[identified](t, string(r))
					if id, ok := row.ID.(string); ok {
						primary[row.Type+" "+id] = true
					}
					for _, to := range row.related(name) {
						wanted[to.Type+" "+to.ID.(string)] = true
					}
				}
				var order []string
				for _, r := range got.Included {
					row := parse[identified](t, string(r))
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
					want := strings.TrimSuffix(strings.TrimPrefix(s.get(t, at).body, `{"data":`), "}")
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
		plain := s.get(t, "/v2/memberships/"+adaInDesigners).body
		a := s.get(t, "/v2/memberships/"+adaInDesigners+"?include=group,person.school").body
		is.True(strings.HasPrefix(a, strings.TrimSuffix(plain, "}")+`,"included":[{"type":"groups"`))
		var types []string
		for _, r := range parse[struct{ Included []json.RawMessage }](t, a).Included {
			types = append(types, parse[identified](t, string(r)).Type)
		}
		is.Equal(types, []string{"groups", "people", "schools"})
		is.Equal(s.get(t, "/v2/memberships/"+adaInDesigners+"?include=").body, strings.TrimSuffix(plain, "}")+`,"included":[]}`)
		is.Equal(s.get(t, "/v2/memberships/"+theirMembership+"?include=person").status, 404)
	})
	t.Run("a path back to the resources of the list includes none of them", func(t *testing.T) {
		is := is.New(t)
		for _, r := range parse[compound](t, s.get(t, "/v2/people?limit=1000&include=partnerships.person").body).Included {
			is.Equal(parse[identified](t, string(r)).Type, "partnerships")
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
			"/v2/categories/" + design + "?include=courses":                       `400 include unknown path "courses"`,
			"/v2/people?include[x]=school":                                        "400 include[x] is not supported; lists support page, limit, q, sort, cursor, filter[…], include, fields[…] and count",
			"/v2/people?fields=name":                                              "400 fields is not a valid fieldset, such as fields[people]=name,email",
			"/v2/people?fields[]=name":                                            "400 fields[] is not a valid fieldset, such as fields[people]=name,email",
			"/v2/people?fields[courses]=name":                                     "400 fields[courses] this response has no resources of this type",
			"/v2/people?fields[people]=name,what":                                 `400 fields[people] unknown attribute or relationship "what"`,
			"/v2/people?count=yes":                                                "400 count must be true or false",
			"/v2/people?include=school&include=partnerships":                      "400 include is given more than once, with different values",
			"/v2/people/" + ada + "?fields[courses]=name":                         "400 fields[courses] this response has no resources of this type",
		} {
			is.Equal(s.get(t, path).failures(t), []string{want})
		}
		is.Equal(s.csv(t, "GET", "/v2/people?include=school").failures(t), []string{"400 include is not supported for CSV"})
		is.Equal(s.csv(t, "GET", "/v2/people?count=true").failures(t), []string{"400 count is not supported for CSV"})
	})
}
