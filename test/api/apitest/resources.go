package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
)

const missing = "The resource you requested does not exist"

func categories(t *testing.T, s *server) {
	t.Run("create, update and delete", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Film","color":"red"},"meta":1}}`)
		is.Equal(made.status, 201)
		path := "/v1/categories/" + made.id(t)
		is.Equal(made.header.Get("Location"), base+path)
		is.Equal(s.get(t, path).body, made.body)

		s.clock.Advance(1e9)
		changed := s.send(t, "PATCH", path, `{"data":{"type":"categories","id":"`+strings.ToUpper(made.id(t))+`","attributes":{"name":"Films"}}}`)
		is.Equal(changed.status, 200)
		is.Equal(s.get(t, path).body, changed.body)
		is.True(changed.body != made.body)

		s.clock.Advance(1e9)
		same := s.send(t, "PUT", path, `{"data":{"attributes":{"name":"Films"}}}`)
		is.Equal(same.status, 200)
		is.Equal(same.body, changed.body) // not even updated_at has changed

		is.Equal(s.send(t, "PUT", path, `{"data":{}}`).body, changed.body)
		is.Equal(s.send(t, "DELETE", path, "").status, 204)
		is.Equal(s.get(t, path).failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "DELETE", path, "").status, 404)
	})

	t.Run("the case of a name can be changed", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "PUT", "/v1/categories/"+design, `{"data":{"attributes":{"name":"DESIGN"}}}`)
		is.Equal(a.status, 200)
		is.True(strings.Contains(a.body, `"name":"DESIGN"`))
	})

	t.Run("a name that is taken", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "PUT", "/v1/categories/"+design, `{"data":{"attributes":{"name":"music & DANCE"}}}`)
		is.Equal(a.failures(t), []string{"422 /data/attributes/name A record with the given name has already been taken"})
		is.True(strings.Contains(a.body, `"meta":{"original":{"type":"categories","uuid":"`+music+`"}}`))
	})

	t.Run("deleting a category keeps its courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v1/categories/"+music, "{}").status, 204)
		course := s.get(t, "/v1/courses/drawing").body
		is.True(strings.Contains(course, design))
		is.True(!strings.Contains(course, music))
	})
}

func courses(t *testing.T, s *server) {
	is := is.New(t)
	byPermalink := s.get(t, "/v1/courses/drawing")
	is.Equal(byPermalink.status, 200)
	is.Equal(s.get(t, "/v1/courses/"+drawing).body, byPermalink.body)
	is.Equal(s.get(t, "/v1/courses/"+strings.ToUpper(drawing)).body, byPermalink.body)
	for _, ref := range []string{
		"painting", "Drawing", unknown, theirCourse, "theirs", "%00", "%ff", "a%20b", "%F0%9F%8E%A8",
		strings.ReplaceAll(drawing, "-", ""), "urn:uuid:" + drawing, "%7B" + drawing + "%7D", strings.Repeat("a", 4000),
	} {
		is.Equal(s.get(t, "/v1/courses/"+ref).failures(t), []string{"404 " + missing})
	}
}

func people(t *testing.T, s *server) {
	t.Run("the methods contain delete exactly if deletion is allowed", func(t *testing.T) {
		is := is.New(t)
		for _, r := range s.get(t, "/v1/people").page(t).Data {
			methods := len(r.Links["self"].(map[string]any)["methods"].([]any))
			status := s.send(t, "DELETE", "/v1/people/"+r.ID, `{"data":{}}`).status
			is.Equal(status == 204, methods == 2) // DELETE is one of the methods
			is.Equal(status == 403, methods == 1)
		}
		is.Equal(s.get(t, "/v1/people").ids(t), alan+" "+olga)
		is.Equal(s.get(t, "/v1/people/"+ada).status, 404)
	})
	t.Run("deletion deletes the person's data", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v1/courses?filter[enrollments_count][gt]=0").ids(t), singing)
		is.Equal(s.get(t, "/v1/groups?filter[membership_count][gt]=0").ids(t), "")
	})
}

func learners(t *testing.T, s *server) {
	create := func(t *testing.T, attributes string) response {
		t.Helper()
		return s.send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":`+attributes+`}}`)
	}
	t.Run("create", func(t *testing.T) {
		is := is.New(t)
		a := create(t, `{"email":" New@example.test "}`)
		is.Equal(a.status, 201)
		is.Equal(a.header.Get("Location"), base+"/v1/people/"+a.id(t))
		is.Equal(s.get(t, "/v1/learners?filter[email][eq]=New@example.test").ids(t), a.id(t))
		is.Equal(s.get(t, "/v1/people/"+a.id(t)).status, 200)

		messages, err := s.queue.List(t.Context(), invitation.Kind)
		is.NoErr(err)
		is.Equal(len(messages), 1) // no invitation emails are queued for people of the fixture
		is.Equal(messages[0].School, s.own)
		is.Equal(messages[0].Payload, a.id(t))
	})

	tests := []struct {
		name, attributes string
		want             []string
	}{
		{"no address", `{}`, []string{"422 /data/attributes/email can't be blank"}},
		{"blank address", `{"email":" "}`, []string{"422 /data/attributes/email can't be blank"}},
		{"null address", `{"email":null}`, []string{"422 /data/attributes/email can't be blank"}},
		{"number", `{"email":7}`, []string{"422 /data/attributes/email must be a string"}},
		{"not an email address", `{"email":"ada"}`, []string{"422 /data/attributes/email is not a valid email address"}},
		{"control character", `{"email":"a\u0000@example.test"}`, []string{"422 /data/attributes/email contains a control character"}},
		{"invalid UTF-8", "{\"email\":\"\xff@example.test\"}", []string{"422 /data/attributes/email is not valid UTF-8"}},
		{"half a surrogate pair", `{"email":"\ud800@example.test"}`, []string{"422 /data/attributes/email is not valid UTF-8"}},
		{"every fault at once", `{"email":"","first_name":[],"last_name":"a\nb"}`, []string{
			"422 /data/attributes/first_name must be a string",
			"422 /data/attributes/email can't be blank",
			"422 /data/attributes/last_name contains a control character",
		}},
		{"taken", `{"email":"ADA@EXAMPLE.TEST"}`, []string{emailTaken}},
		{"taken", `{"email":"ada@example.test","last_name":7}`, []string{"422 /data/attributes/last_name must be a string", emailTaken}},
		{"taken", `{"email":"ada@example.test","last_name":"\u0000"}`, []string{
			"422 /data/attributes/last_name contains a control character", emailTaken,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := create(t, tt.attributes)
			is.Equal(a.failures(t), tt.want)
			is.Equal(strings.Contains(a.body, `"meta":{"original":{"type":"people","uuid":"`+ada+`"}}`), tt.name == "taken")
		})
	}

	t.Run("forbidden under URL authentication", func(t *testing.T) {
		is := is.New(t)
		a := s.request("POST", "/v1/learners").as(s.urlKey).
			with(`{"data":{"type":"learners","attributes":{"email":"a@example.test"}}}`).send(t)
		is.Equal(a.status, 403)
		is.Equal(s.request("GET", "/v1/people").as(s.urlKey).send(t).ids(t), "")
	})
	t.Run("people who are not learners do not exist", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v1/learners/"+olga).status, 404)
		is.Equal(s.send(t, "DELETE", "/v1/learners/"+olga, "").status, 404)
	})
	t.Run("a learner with a partnership cannot be deleted", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v1/learners/"+alan).status, 200)
		is.Equal(s.send(t, "DELETE", "/v1/learners/"+alan, "").status, 403)
	})
	t.Run("delete", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v1/learners/"+ada, `{"data":{"type":"people","uuid":"`+ada+`"}}`).status, 204)
		is.Equal(s.get(t, "/v1/people/"+ada).status, 404)
	})
}
