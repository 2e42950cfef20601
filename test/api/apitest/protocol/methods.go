package protocol

import (
	"net/http"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// Methods checks three rules for each path: OPTIONS returns its methods, HEAD works wherever GET
// does, and the response to any other method is 405 with the same methods.
func Methods(t *testing.T, s *fixture.Server) {
	for _, r := range routes.All {
		path := r.Of(r.ID)
		t.Run(r.Path, func(t *testing.T) {
			is := is.New(t)
			options := s.Send(t, "OPTIONS", path, "")
			is.Equal(options.Status, 204)
			is.Equal(options.Header.Get("Allow"), r.Allow)

			for _, method := range []string{"TRACE", "BREW"} {
				a := s.Send(t, method, path, "")
				is.Equal(a.Status, 405)
				is.Equal(a.Header.Get("Allow"), r.Allow)
				is.Equal(a.Failures(t), []string{"405 This resource does not support the method"})
			}

			// net/http removes the length of a response that it decompresses.
			get := s.Request("GET", path).Set("Accept-Encoding", "identity").Send(t)
			head := s.Request("HEAD", path).Set("Accept-Encoding", "identity").Send(t)
			is.Equal(head.Status, get.Status)
			is.Equal(get.Status == http.StatusOK, r.Readable()) // the record exists
			if get.Status == http.StatusOK {
				for _, name := range []string{"Content-Length", "Content-Type", "ETag", "Cache-Control", "Deprecation"} {
					is.Equal(head.Header.Get(name), get.Header.Get(name))
				}
			}
		})
	}

	t.Run("an unknown path has no methods", func(t *testing.T) {
		is := is.New(t)
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "DELETE"} {
			is.Equal(s.Send(t, method, "/v1/nothing", "").Status, 404)
		}
	})
}

// Paths checks which forms of a path are equal: extra slashes and unnecessary escapes are ignored,
// letter case is not.
func Paths(t *testing.T, s *fixture.Server) {
	tests := []struct {
		path string
		same string // path with an equal response; blank if there is none
	}{
		{"/v1/categories/", "/v1/categories"},
		{"//v1//categories", "/v1/categories"},
		{"/v1/categories//" + records.Design + "/", "/v1/categories/" + records.Design},
		{"/v1/courses/drawing///", "/v1/courses/drawing"},
		{"/v1/categories/?limit=1", "/v1/categories?limit=1"},
		{"/v1/c%61tegories", "/v1/categories"},
		{"/v1/courses/%64rawing", "/v1/courses/drawing"},
		{"/v1/categories%2F" + records.Design, ""},
		{"/v1/courses/drawing%2F", ""},
		{"/v1/courses/%2Fdrawing", ""},
		{"/v1/courses/drawing/..", ""},
		{"/V1/categories", ""},
		{"///", "/"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			a := s.Get(t, tt.path)
			if tt.same == "" {
				is.Equal(a.Status, 404)
				return
			}
			is.Equal(a.Status, 200)
			is.Equal(a.Body, s.Get(t, tt.same).Body)
		})
	}
	t.Run("an update through an extra slash", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "POST", "//v1/categories/", `{"data":{"type":"categories","attributes":{"name":"Slashed"}}}`)
		is.Equal(a.Status, 201)
	})
}
