package protocol

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// Compression checks which responses are compressed, and that compression changes only the
// encoding.
func Compression(t *testing.T, s *fixture.Server) {
	compressed := map[string]bool{
		"/v1/people": true, "/v2/people?limit=1000": true, "/openapi.json": true, routes.ExportPath: true,
		"/v1/categories?limit=1": false, "/v2/school": false, "/v1/people?page=x": false, "/v2/nothing": false, "/healthz": false,
	}
	for path, want := range compressed {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			plain := s.Exchange(t, "GET", path, "Accept-Encoding", "identity")
			is.Equal(plain.Header.Get("Content-Encoding"), "")
			is.Equal(plain.Header.Get("Vary"), "Accept, Accept-Encoding")
			zipped := s.Exchange(t, "GET", path, "Accept-Encoding", "br, gzip")
			is.Equal(zipped.Header.Get("Content-Encoding") == "gzip", want)
			is.Equal(zipped.Status, plain.Status)
			for _, field := range []string{"Content-Type", "Etag", "Cache-Control", "Vary"} {
				is.Equal(zipped.Header.Get(field), plain.Header.Get(field))
			}
			if !want {
				is.Equal(zipped.Body, plain.Body)
				return
			}
			is.Equal(fixture.Unzip(t, zipped.Body), plain.Body)
			is.True(len(zipped.Body) < len(plain.Body))
			if path != routes.ExportPath {
				is.Equal(len(s.Exchange(t, "GET", path, "Accept-Encoding", "gzip").Body), len(zipped.Body)) // the length of the padding is the same for each request
				head := s.Exchange(t, "HEAD", path, "Accept-Encoding", "gzip")
				is.Equal(head.Body, "")
				is.Equal(head.Header.Get("Content-Length"), zipped.Header.Get("Content-Length"))
				again := s.Exchange(t, "GET", path, "Accept-Encoding", "gzip", "If-None-Match", plain.Header.Get("ETag"))
				is.Equal(again.Status, http.StatusNotModified)
				is.Equal(again.Body+again.Header.Get("Content-Encoding"), "")
			}
		})
	}
	t.Run("the description is less than an eighth of its size", func(t *testing.T) {
		is := is.New(t)
		plain := s.Exchange(t, "GET", "/openapi.json", "Accept-Encoding", "identity")
		is.True(len(s.Exchange(t, "GET", "/openapi.json", "Accept-Encoding", "gzip").Body)*8 < len(plain.Body))
	})
	t.Run("a response with a secret is not compressed", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("POST", "/v2/api_keys").Set("Accept-Encoding", "gzip").
			With(`{"data":{"type":"api_keys","attributes":{"scope":"read","name":"a` + strings.Repeat("\u2028", 253) + `a"}}}`).Send(t)
		is.Equal(a.Status, http.StatusCreated)
		is.True(len(a.Body) > 1400) // long enough to be compressed otherwise
		is.Equal(a.Header.Get("Content-Encoding"), "")
	})
}
