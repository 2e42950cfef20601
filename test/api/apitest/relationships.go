package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// element returns a resource identifier for a request body.
func element(typ, id string) string { return `{"type":"` + typ + `","id":"` + id + `"}` }

// data returns the body of a request about a relationship.
func data(elements ...string) string { return `{"data":[` + strings.Join(elements, ",") + `]}` }

// numbers returns one attribute of each record of a list, separated by spaces.
func (s *server) numbers(t *testing.T, list, attribute string) string {
	t.Helper()
	var all []string
	for _, r := range s.get(t, list).page(t).Data {
		all = append(all, fmt.Sprint(r.Attributes[attribute]))
	}
	return strings.Join(all, " ")
}

// relationships checks every relationship that can be changed: which elements are valid, and that a
// request is applied completely or not at all.
func relationships(t *testing.T, s *server) {
	s.activate(t, grace)
	relations := []struct {
		methods, path      string
		types              []string
		holder, theirs     string // the record with the relationship, and a record of another school
		related, unrelated string // a valid element, and an element of another school
	}{
		{
			"POST DELETE", "/v1/people/:id/relationships/courses",
			[]string{"enrolled-courses", "managed-courses"},
			grace, theirPerson, drawing, theirCourse,
		},
		{
			"POST DELETE", "/v1/people/:id/relationships/groups",
			[]string{"membership-groups", "managed-groups"},
			grace, theirPerson, singers, theirGroup,
		},
		{
			"POST DELETE", "/v2/people/:id/relationships/courses",
			[]string{"enrolled-courses", "managed-courses"},
			grace, theirPerson, drawing, theirCourse,
		},
		{
			"POST DELETE", "/v2/people/:id/relationships/groups",
			[]string{"membership-groups", "managed-groups"},
			grace, theirPerson, singers, theirGroup,
		},
		{"POST", "/v1/groups/:id/relationships/courses", []string{"courses"}, singers, theirGroup, drawing, theirCourse},
		{"POST DELETE", "/v2/groups/:id/relationships/courses", []string{"courses"}, singers, theirGroup, drawing, theirCourse},
		{"POST", "/v1/groups/:id/relationships/people", []string{"people"}, singers, theirGroup, grace, theirPerson},
		{"POST DELETE", "/v2/groups/:id/relationships/people", []string{"people"}, singers, theirGroup, grace, theirPerson},
		{
			"POST PUT PATCH DELETE", "/v2/courses/:id/relationships/categories",
			[]string{"categories"},
			singing, theirCourse, design, theirCategory,
		},
		{
			"POST PUT PATCH DELETE", "/v2/courses/:id/relationships/instructor_partnerships",
			[]string{"instructor_partnerships", "partnerships"},
			singing, theirCourse, alansPartnership, theirPart,
		},
		{"POST DELETE", "/v2/courses/:id/relationships/learners", []string{"people"}, singing, theirCourse, grace, theirPerson},
		{"POST DELETE", "/v2/courses/:id/relationships/managers", []string{"people"}, singing, theirCourse, grace, theirPerson},
		{"POST DELETE", "/v2/groups/:id/relationships/managers", []string{"people"}, singers, theirGroup, grace, theirPerson},
	}
	tested := map[string]string{}
	for _, r := range relations {
		tested[r.path] = r.methods
	}
	for _, r := range resources {
		if strings.Contains(r.path, "/relationships/") {
			is.New(t).Equal(tested[r.path], strings.Join(r.allowedMethods(), " "))
		}
	}

	before := s.visibleTo(t, s.key)
	for _, r := range relations {
		typ := r.types[len(r.types)-1]
		good := element(typ, r.related)
		tests := []struct {
			name, holder, body string
			want               []string // expected faults; none: 204
		}{
			{"nothing", r.holder, data(), nil},
			{"no elements, unknown record", unknown, data(), []string{"404 " + missing}},
			{"an unknown record", unknown, data(good), []string{"404 " + missing}},
			{"a record of another school", r.theirs, data(), []string{"404 " + missing}},
			{"a malformed id", "x", data(), []string{"404 " + missing}},
			{"unknown and malformed elements", r.holder, data(
				good, element(typ, unknown), element(typ, "drawing"), element(typ, r.unrelated),
				`{"type":"`+typ+`"}`, `{"type":"`+typ+`","id":7}`,
			), []string{
				"404 /data/1/id " + missing, "404 /data/2/id " + missing, "404 /data/3/id " + missing,
				"404 /data/4/id " + missing, "404 /data/5/id " + missing,
			}},
			{"wrong types", r.holder, data(element("colors", drawing), good, element("schools", unknown)), []string{
				"409 /data/0/type must be " + strings.Join(r.types, " or "),
				"409 /data/2/type must be " + strings.Join(r.types, " or "),
			}},
			{"wrong types among unknown elements", r.holder, data(
				element(typ, unknown), element("colors", unknown), good, `7`, element(typ, "x"), element(typ, r.unrelated),
			), []string{
				"404 /data/0/id " + missing, "409 /data/1/type must be " + strings.Join(r.types, " or "),
				"422 /data/3 must be an object with a type and an id", "404 /data/4/id " + missing, "404 /data/5/id " + missing,
			}},
			{"wrong types, unknown record", unknown, data(element("colors", unknown), good), []string{"404 " + missing}},
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
					a := s.send(t, method, strings.Replace(r.path, ":id", tt.holder, 1), tt.body)
					if tt.want == nil {
						is.Equal(a.status, http.StatusNoContent)
						return
					}
					is.Equal(a.failures(t), tt.want)
				})
			}
		}
	}
	is.New(t).Equal(s.visibleTo(t, s.key), before) // nothing was applied

	for _, r := range relations {
		if r.methods == "POST" {
			continue
		}
		t.Run(r.path+" adds and removes all, and ignores repetitions", func(t *testing.T) {
			is := is.New(t)
			var all []string
			for _, typ := range r.types {
				all = append(all, element(typ, r.related), element(typ, strings.ToUpper(r.related)))
			}
			before, path := s.records(t), strings.Replace(r.path, ":id", r.holder, 1)
			is.Equal(s.send(t, "POST", path, data(all...)).status, 204)
			after := s.records(t)
			is.Equal(s.send(t, "POST", path, data(all...)).status, 204)
			is.Equal(s.records(t), after) // existing elements are ignored
			is.Equal(s.send(t, "DELETE", path, data(all...)).status, 204)
			is.Equal(s.records(t), before)
			is.Equal(s.send(t, "DELETE", path, data(all...)).status, 204) // missing elements are ignored too
			is.Equal(s.records(t), before)
		})
	}
}

// enrollments checks the enrollments of a person in courses. Only enrollments as learner are
// counted.
func enrollments(t *testing.T, s *server) {
	s.activate(t, grace)
	const path = "/v1/people/" + grace + "/relationships/courses"
	const counts = "enrollments_count"
	is := is.New(t)
	is.Equal(s.numbers(t, "/v1/courses", counts), "1 2") // drawing: ada; singing: ada, alan

	both := data(element("enrolled-courses", drawing), element("enrolled-courses", drawing), element("managed-courses", singing))
	is.Equal(s.send(t, "POST", path, both).status, 204)
	is.Equal(s.numbers(t, "/v1/courses", counts), "2 2")
	is.Equal(s.numbers(t, "/v1/people?filter[uuid]="+grace, "course_count"), "1")

	is.Equal(s.send(t, "DELETE", path, data(element("managed-courses", drawing), element("enrolled-courses", singing))).status, 204)
	is.Equal(s.numbers(t, "/v1/courses", counts), "2 2") // grace had neither of these roles

	is.Equal(s.send(t, "DELETE", path, data(element("enrolled-courses", drawing), element("managed-courses", singing))).status, 204)
	is.Equal(s.numbers(t, "/v1/courses", counts), "1 2")
}
