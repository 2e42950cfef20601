package catalog

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Categories checks creating, updating and deleting categories.
func Categories(t *testing.T, s *fixture.Server) {
	t.Run("create, update and delete", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Film","color":"red"},"meta":1}}`)
		is.Equal(made.Status, 201)
		path := "/v1/categories/" + made.ID(t)
		is.Equal(made.Header.Get("Location"), records.Base+path)
		is.Equal(s.Get(t, path).Body, made.Body)

		s.Clock.Advance(1e9)
		changed := s.Send(t, "PATCH", path, `{"data":{"type":"categories","id":"`+strings.ToUpper(made.ID(t))+`","attributes":{"name":"Films"}}}`)
		is.Equal(changed.Status, 200)
		is.Equal(s.Get(t, path).Body, changed.Body)
		is.True(changed.Body != made.Body)

		s.Clock.Advance(1e9)
		same := s.Send(t, "PUT", path, `{"data":{"attributes":{"name":"Films"}}}`)
		is.Equal(same.Status, 200)
		is.Equal(same.Body, changed.Body) // not even updated_at has changed

		is.Equal(s.Send(t, "PUT", path, `{"data":{}}`).Body, changed.Body)
		is.Equal(s.Send(t, "DELETE", path, "").Status, 204)
		is.Equal(s.Get(t, path).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "DELETE", path, "").Status, 404)
	})

	t.Run("the case of a name can be changed", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "PUT", "/v1/categories/"+records.Design, `{"data":{"attributes":{"name":"DESIGN"}}}`)
		is.Equal(a.Status, 200)
		is.True(strings.Contains(a.Body, `"name":"DESIGN"`))
	})

	t.Run("a name that is taken", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "PUT", "/v1/categories/"+records.Design, `{"data":{"attributes":{"name":"music & DANCE"}}}`)
		is.Equal(a.Failures(t), []string{"422 /data/attributes/name A record with the given name has already been taken"})
		is.True(strings.Contains(a.Body, `"meta":{"original":{"type":"categories","uuid":"`+records.Music+`"}}`))
	})

	t.Run("deleting a category keeps its courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", "/v1/categories/"+records.Music, "{}").Status, 204)
		course := s.Get(t, "/v1/courses/drawing").Body
		is.True(strings.Contains(course, records.Design))
		is.True(!strings.Contains(course, records.Music))
	})
}

// Courses checks the documents of courses.
func Courses(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	byPermalink := s.Get(t, "/v1/courses/drawing")
	is.Equal(byPermalink.Status, 200)
	is.Equal(s.Get(t, "/v1/courses/"+records.Drawing).Body, byPermalink.Body)
	is.Equal(s.Get(t, "/v1/courses/"+strings.ToUpper(records.Drawing)).Body, byPermalink.Body)
	for _, ref := range []string{
		"painting", "Drawing", records.Unknown, records.TheirCourse, "theirs", "%00", "%ff", "a%20b", "%F0%9F%8E%A8",
		strings.ReplaceAll(records.Drawing, "-", ""), "urn:uuid:" + records.Drawing, "%7B" + records.Drawing + "%7D", strings.Repeat("a", 4000),
	} {
		is.Equal(s.Get(t, "/v1/courses/"+ref).Failures(t), []string{"404 " + fixture.Missing})
	}
}
