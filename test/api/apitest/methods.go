package apitest

import (
	"net/http"
	"testing"

	"github.com/matryer/is"
)

// methods checks three rules for each path: OPTIONS returns its methods, HEAD works wherever GET
// does, and the response to any other method is 405 with the same methods.
func methods(t *testing.T, s *server) {
	for _, r := range resources {
		path := r.of(r.id)
		t.Run(r.path, func(t *testing.T) {
			is := is.New(t)
			options := s.send(t, "OPTIONS", path, "")
			is.Equal(options.status, 204)
			is.Equal(options.header.Get("Allow"), r.allow)

			for _, method := range []string{"TRACE", "BREW"} {
				a := s.send(t, method, path, "")
				is.Equal(a.status, 405)
				is.Equal(a.header.Get("Allow"), r.allow)
				is.Equal(a.failures(t), []string{"405 This resource does not support the method"})
			}

			// net/http removes the length of a response that it decompresses.
			get := s.request("GET", path).set("Accept-Encoding", "identity").send(t)
			head := s.request("HEAD", path).set("Accept-Encoding", "identity").send(t)
			is.Equal(head.status, get.status)
			is.Equal(get.status == http.StatusOK, r.readable()) // the record exists
			if get.status == http.StatusOK {
				for _, name := range []string{"Content-Length", "Content-Type", "ETag", "Cache-Control", "Deprecation"} {
					is.Equal(head.header.Get(name), get.header.Get(name))
				}
			}
		})
	}

	t.Run("an unknown path has no methods", func(t *testing.T) {
		is := is.New(t)
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "DELETE"} {
			is.Equal(s.send(t, method, "/v1/nothing", "").status, 404)
		}
	})
}

// paths checks which forms of a path are equal: extra slashes and unnecessary escapes are ignored,
// letter case is not.
func paths(t *testing.T, s *server) {
	tests := []struct {
		path string
		same string // path with an equal response; blank if there is none
	}{
		{"/v1/categories/", "/v1/categories"},
		{"//v1//categories", "/v1/categories"},
		{"/v1/categories//" + design + "/", "/v1/categories/" + design},
		{"/v1/courses/drawing///", "/v1/courses/drawing"},
		{"/v1/categories/?limit=1", "/v1/categories?limit=1"},
		{"/v1/c%61tegories", "/v1/categories"},
		{"/v1/courses/%64rawing", "/v1/courses/drawing"},
		{"/v1/categories%2F" + design, ""},
		{"/v1/courses/drawing%2F", ""},
		{"/v1/courses/%2Fdrawing", ""},
		{"/v1/courses/drawing/..", ""},
		{"/V1/categories", ""},
		{"///", "/"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			a := s.get(t, tt.path)
			if tt.same == "" {
				is.Equal(a.status, 404)
				return
			}
			is.Equal(a.status, 200)
			is.Equal(a.body, s.get(t, tt.same).body)
		})
	}
	t.Run("an update through an extra slash", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "POST", "//v1/categories/", `{"data":{"type":"categories","attributes":{"name":"Slashed"}}}`)
		is.Equal(a.status, 201)
	})
}
