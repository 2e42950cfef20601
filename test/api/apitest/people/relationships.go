package people

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// Relationships checks every relationship that can be changed: which elements are valid, and that a
// request is applied completely or not at all.
func Relationships(t *testing.T, s *fixture.Server) {
	s.Activate(t, records.Grace)
	relations := []struct {
		methods, path      string
		types              []string
		holder, theirs     string // the record with the relationship, and a record of another school
		related, unrelated string // a valid element, and an element of another school
	}{
		{
			"POST DELETE", "/v1/people/:id/relationships/courses",
			[]string{"enrolled-courses", "managed-courses"},
			records.Grace, records.TheirPerson, records.Drawing, records.TheirCourse,
		},
		{
			"POST DELETE", "/v1/people/:id/relationships/groups",
			[]string{"membership-groups", "managed-groups"},
			records.Grace, records.TheirPerson, records.Singers, records.TheirGroup,
		},
		{
			"POST DELETE", "/v2/people/:id/relationships/courses",
			[]string{"enrolled-courses", "managed-courses"},
			records.Grace, records.TheirPerson, records.Drawing, records.TheirCourse,
		},
		{
			"POST DELETE", "/v2/people/:id/relationships/groups",
			[]string{"membership-groups", "managed-groups"},
			records.Grace, records.TheirPerson, records.Singers, records.TheirGroup,
		},
		{"POST", "/v1/groups/:id/relationships/courses", []string{"courses"}, records.Singers, records.TheirGroup, records.Drawing, records.TheirCourse},
		{"POST DELETE", "/v2/groups/:id/relationships/courses", []string{"courses"}, records.Singers, records.TheirGroup, records.Drawing, records.TheirCourse},
		{"POST", "/v1/groups/:id/relationships/people", []string{"people"}, records.Singers, records.TheirGroup, records.Grace, records.TheirPerson},
		{"POST DELETE", "/v2/groups/:id/relationships/people", []string{"people"}, records.Singers, records.TheirGroup, records.Grace, records.TheirPerson},
		{
			"POST PUT PATCH DELETE", "/v2/courses/:id/relationships/categories",
			[]string{"categories"},
			records.Singing, records.TheirCourse, records.Design, records.TheirCategory,
		},
		{
			"POST PUT PATCH DELETE", "/v2/courses/:id/relationships/instructor_partnerships",
			[]string{"instructor_partnerships", "partnerships"},
			records.Singing, records.TheirCourse, records.AlansPartnership, records.TheirPart,
		},
		{"POST DELETE", "/v2/courses/:id/relationships/learners", []string{"people"}, records.Singing, records.TheirCourse, records.Grace, records.TheirPerson},
		{"POST DELETE", "/v2/courses/:id/relationships/managers", []string{"people"}, records.Singing, records.TheirCourse, records.Grace, records.TheirPerson},
		{"POST DELETE", "/v2/groups/:id/relationships/managers", []string{"people"}, records.Singers, records.TheirGroup, records.Grace, records.TheirPerson},
	}
	tested := map[string]string{}
	for _, r := range relations {
		tested[r.path] = r.methods
	}
	for _, r := range routes.All {
		if strings.Contains(r.Path, "/relationships/") {
			is.New(t).Equal(tested[r.Path], strings.Join(r.AllowedMethods(), " "))
		}
	}

	before := s.VisibleTo(t, s.Key)
	for _, r := range relations {
		typ := r.types[len(r.types)-1]
		good := bodies.Element(typ, r.related)
		tests := []struct {
			name, holder, body string
			want               []string // expected faults; none: 204
		}{
			{"nothing", r.holder, bodies.Data(), nil},
			{"no elements, unknown record", records.Unknown, bodies.Data(), []string{"404 " + fixture.Missing}},
			{"an unknown record", records.Unknown, bodies.Data(good), []string{"404 " + fixture.Missing}},
			{"a record of another school", r.theirs, bodies.Data(), []string{"404 " + fixture.Missing}},
			{"a malformed id", "x", bodies.Data(), []string{"404 " + fixture.Missing}},
			{"unknown and malformed elements", r.holder, bodies.Data(
				good, bodies.Element(typ, records.Unknown), bodies.Element(typ, "drawing"), bodies.Element(typ, r.unrelated),
				`{"type":"`+typ+`"}`, `{"type":"`+typ+`","id":7}`,
			), []string{
				"404 /data/1/id " + fixture.Missing, "404 /data/2/id " + fixture.Missing, "404 /data/3/id " + fixture.Missing,
				"404 /data/4/id " + fixture.Missing, "404 /data/5/id " + fixture.Missing,
			}},
			{"wrong types", r.holder, bodies.Data(bodies.Element("colors", records.Drawing), good, bodies.Element("schools", records.Unknown)), []string{
				"409 /data/0/type must be " + strings.Join(r.types, " or "),
				"409 /data/2/type must be " + strings.Join(r.types, " or "),
			}},
			{"wrong types among unknown elements", r.holder, bodies.Data(
				bodies.Element(typ, records.Unknown), bodies.Element("colors", records.Unknown), good, `7`, bodies.Element(typ, "x"), bodies.Element(typ, r.unrelated),
			), []string{
				"404 /data/0/id " + fixture.Missing, "409 /data/1/type must be " + strings.Join(r.types, " or "),
				"422 /data/3 must be an object with a type and an id", "404 /data/4/id " + fixture.Missing, "404 /data/5/id " + fixture.Missing,
			}},
			{"wrong types, unknown record", records.Unknown, bodies.Data(bodies.Element("colors", records.Unknown), good), []string{"404 " + fixture.Missing}},
			{"elements that are not identifiers", r.holder, `{"data":[7,null,{},{"type":null,"id":"x"},{"type":7}]}`, []string{
				"422 /data/0 must be an object with a type and an id", "422 /data/1 must be an object with a type and an id",
				"422 /data/2/type can't be blank", "422 /data/3/type can't be blank", "422 /data/4/type must be a string",
			}},
			{"an object", r.holder, `{"data":` + good + `}`, []string{"422 /data must be an array"}},
			{"null", r.holder, `{"data":null}`, []string{"422 /data must be an array"}},
			{"no data", r.holder, `{}`, []string{"422 /data must be an array"}},
			{"not an object", r.holder, `[]`, []string{"422 /data must be an array"}},
			{"no body", r.holder, "", []string{"400 The body must be a JSON document but is empty"}},
		}
		for _, method := range strings.Fields(r.methods) {
			for _, tt := range tests {
				t.Run(method+" "+r.path+" "+tt.name, func(t *testing.T) {
					is := is.New(t)
					a := s.Send(t, method, strings.Replace(r.path, ":id", tt.holder, 1), tt.body)
					if tt.want == nil {
						is.Equal(a.Status, http.StatusNoContent)
						return
					}
					is.Equal(a.Failures(t), tt.want)
				})
			}
		}
	}
	is.New(t).Equal(s.VisibleTo(t, s.Key), before) // nothing was applied

	for _, r := range relations {
		if r.methods == "POST" {
			continue
		}
		t.Run(r.path+" adds and removes all, and ignores repetitions", func(t *testing.T) {
			is := is.New(t)
			var all []string
			for _, typ := range r.types {
				all = append(all, bodies.Element(typ, r.related), bodies.Element(typ, strings.ToUpper(r.related)))
			}
			before, path := s.Records(t), strings.Replace(r.path, ":id", r.holder, 1)
			is.Equal(s.Send(t, "POST", path, bodies.Data(all...)).Status, 204)
			after := s.Records(t)
			is.Equal(s.Send(t, "POST", path, bodies.Data(all...)).Status, 204)
			is.Equal(s.Records(t), after) // existing elements are ignored
			is.Equal(s.Send(t, "DELETE", path, bodies.Data(all...)).Status, 204)
			is.Equal(s.Records(t), before)
			is.Equal(s.Send(t, "DELETE", path, bodies.Data(all...)).Status, 204) // missing elements are ignored too
			is.Equal(s.Records(t), before)
		})
	}
}

// Enrollments checks the enrollments of a person in courses. Only enrollments as learner are
// counted.
func Enrollments(t *testing.T, s *fixture.Server) {
	s.Activate(t, records.Grace)
	const path = "/v1/people/" + records.Grace + "/relationships/courses"
	const counts = "enrollments_count"
	is := is.New(t)
	is.Equal(s.Numbers(t, "/v1/courses", counts), "1 2") // drawing: ada; singing: ada, alan

	both := bodies.Data(bodies.Element("enrolled-courses", records.Drawing), bodies.Element("enrolled-courses", records.Drawing), bodies.Element("managed-courses", records.Singing))
	is.Equal(s.Send(t, "POST", path, both).Status, 204)
	is.Equal(s.Numbers(t, "/v1/courses", counts), "2 2")
	is.Equal(s.Numbers(t, "/v1/people?filter[uuid]="+records.Grace, "course_count"), "1")

	is.Equal(s.Send(t, "DELETE", path, bodies.Data(bodies.Element("managed-courses", records.Drawing), bodies.Element("enrolled-courses", records.Singing))).Status, 204)
	is.Equal(s.Numbers(t, "/v1/courses", counts), "2 2") // grace had neither of these roles

	is.Equal(s.Send(t, "DELETE", path, bodies.Data(bodies.Element("enrolled-courses", records.Drawing), bodies.Element("managed-courses", records.Singing))).Status, 204)
	is.Equal(s.Numbers(t, "/v1/courses", counts), "1 2")
}
