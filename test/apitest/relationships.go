package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// relationships: a person's places in courses.
func relationships(t *testing.T, s *server) {
	of := func(person string) string { return "/v1/people/" + person + "/relationships/courses" }
	element := func(typ, id string) string { return `{"type":"` + typ + `","id":"` + id + `"}` }
	data := func(elements ...string) string { return `{"data":[` + strings.Join(elements, ",") + `]}` }
	counts := func(t *testing.T) string {
		t.Helper()
		is := is.New(t)
		var all []string
		for _, r := range s.get(t, "/v1/courses").page(t).Data {
			n, ok := r.Attributes["enrollments_count"].(float64)
			is.True(ok)
			all = append(all, strings.Repeat("|", int(n)))
		}
		return strings.Join(all, " ")
	}
	is := is.New(t)
	is.Equal(counts(t), "| ||") // drawing: ada; singing: ada, alan

	t.Run("enroll, twice, as learner and as manager", func(t *testing.T) {
		is := is.New(t)
		both := data(element("enrolled-courses", drawing), element("enrolled-courses", drawing), element("managed-courses", singing))
		is.Equal(s.send(t, "POST", of(grace), both).status, 204)
		is.Equal(s.send(t, "POST", of(grace), both).status, 204)
		is.Equal(counts(t), "|| ||")
	})
	t.Run("un-enroll, twice", func(t *testing.T) {
		is := is.New(t)
		learner := data(element("enrolled-courses", drawing), element("enrolled-courses", singing))
		is.Equal(s.send(t, "DELETE", of(grace), learner).status, 204)
		is.Equal(s.send(t, "DELETE", of(grace), learner).status, 204)
		is.Equal(counts(t), "| ||")
	})
	t.Run("managing is not learning", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", of(ada), data(element("managed-courses", drawing))).status, 204)
		is.Equal(counts(t), "| ||")
	})

	tests := []struct {
		name, person, body string
		want               []string // none: 204
	}{
		{"nothing", grace, data(), nil},
		{"nothing for nobody", unknown, data(), []string{"404 " + missing}},
		{"nobody", unknown, data(element("enrolled-courses", drawing)), []string{"404 " + missing}},
		{"a person of another school", theirPerson, data(), []string{"404 " + missing}},
		{"a malformed person", "nobody", data(), []string{"404 " + missing}},
		{"unknown and malformed courses", grace, data(
			element("enrolled-courses", drawing), element("enrolled-courses", unknown), element("managed-courses", "drawing"),
			element("managed-courses", theirCourse), `{"type":"enrolled-courses"}`, `{"type":"enrolled-courses","id":7}`,
		), []string{
			"404 /data/1/id " + missing, "404 /data/2/id " + missing, "404 /data/3/id " + missing,
			"404 /data/4/id " + missing, "404 /data/5/id " + missing,
		}},
		{"wrong types", grace, data(element("courses", drawing), element("enrolled-courses", drawing), element("people", unknown)), []string{
			"409 /data/0/type must be enrolled-courses or managed-courses here",
			"409 /data/2/type must be enrolled-courses or managed-courses here",
		}},
		{"elements that are none", grace, `{"data":[7,null,{},{"type":null,"id":"x"},{"type":7}]}`, []string{
			"422 /data/0 must be an object with a type and an id", "422 /data/1 must be an object with a type and an id",
			"422 /data/2/type can't be blank", "422 /data/3/type can't be blank", "422 /data/4/type must be a string",
		}},
		{"an object", grace, `{"data":` + element("enrolled-courses", drawing) + `}`, []string{"422 /data must be an array"}},
		{"null", grace, `{"data":null}`, []string{"422 /data must be an array"}},
		{"no data", grace, `{}`, []string{"422 /data must be an array"}},
		{"no object", grace, `[]`, []string{"422 /data must be an array"}},
		{"no body", grace, "", []string{"400 The body must be a JSON document, and is empty"}},
	}
	for _, tt := range tests {
		for _, method := range []string{"POST", "DELETE"} {
			t.Run(method+" "+tt.name, func(t *testing.T) {
				is := is.New(t)
				a := s.send(t, method, of(tt.person), tt.body)
				if tt.want == nil {
					is.Equal(a.status, 204)
				} else {
					is.Equal(a.failures(t), tt.want)
				}
				is.Equal(counts(t), "| ||") // nothing is applied
			})
		}
	}
}
