package apitest

import (
	"testing"

	"github.com/matryer/is"
)

// isolation: another school's records do not exist.
func isolation(t *testing.T, s *server) {
	lists := func(t *testing.T) (all []string) {
		t.Helper()
		for _, path := range []string{"/v1/categories", "/v1/people", "/v1/learners", "/v1/courses"} {
			all = append(all, s.request("GET", path).as(s.neighbourKey).send(t).body)
		}
		return all
	}
	is := is.New(t)
	before := lists(t)

	for _, r := range []struct{ method, path, body string }{
		{"GET", "/v1/categories/" + theirCategory, ""},
		{"PATCH", "/v1/categories/" + theirCategory, `{"data":{"type":"categories","uuid":"` + theirCategory + `","attributes":{"name":"Ours"}}}`},
		{"DELETE", "/v1/categories/" + theirCategory, ""},
		{"GET", "/v1/courses/" + theirCourse, ""},
		{"GET", "/v1/courses/theirs", ""},
		{"GET", "/v1/people/" + theirPerson, ""},
		{"DELETE", "/v1/people/" + theirPerson, ""},
		{"GET", "/v1/learners/" + theirPerson, ""},
		{"DELETE", "/v1/learners/" + theirPerson, ""},
		{"POST", "/v1/people/" + theirPerson + "/relationships/courses", `{"data":[]}`},
	} {
		stranger := s.send(t, r.method, r.path, r.body)
		is.Equal(stranger.failures(t), []string{"404 " + missing}) // r
	}
	is.Equal(s.get(t, "/v1/people?q=theirs").ids(t), "")
	is.Equal(s.get(t, "/v1/categories?filter[uuid][eq]="+theirCategory).ids(t), "")
	is.Equal(lists(t), before)

	t.Run("nor do they hold names", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Theirs"}}}`).status, 201)
		is.Equal(s.send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"theirs@example.test"}}}`).status, 201)
		is.Equal(lists(t), before)
	})
}

// healthPaths answer without a key.
func healthPaths(t *testing.T, s *server) {
	for _, path := range []string{"/healthz", "/readyz", "/readyz/", "//healthz"} {
		is := is.New(t)
		a := s.request("GET", path).as("").send(t)
		is.Equal(a.status, 200) // path
		is.Equal(a.body, `{"status":"up"}`)
	}
	is := is.New(t)
	is.Equal(s.request("POST", "/healthz").as("").send(t).status, 405)
	is.Equal(s.request("OPTIONS", "/readyz").as("").send(t).status, 204)
}
