package apitest

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// compression checks which responses are compressed, and that compression changes only the
// encoding.
func compression(t *testing.T, s *server) {
	compressed := map[string]bool{
		"/v1/people": true, "/v2/people?limit=1000": true, "/openapi.json": true, exportPath: true,
		"/v1/categories?limit=1": false, "/v2/school": false, "/v1/people?page=x": false, "/v2/nothing": false, "/healthz": false,
	}
	for path, want := range compressed {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			plain := s.exchange(t, "GET", path, "Accept-Encoding", "identity")
			is.Equal(plain.header.Get("Content-Encoding"), "")
			is.Equal(plain.header.Get("Vary"), "Accept, Accept-Encoding")
			zipped := s.exchange(t, "GET", path, "Accept-Encoding", "br, gzip")
			is.Equal(zipped.header.Get("Content-Encoding") == "gzip", want)
			is.Equal(zipped.status, plain.status)
			for _, field := range []string{"Content-Type", "Etag", "Cache-Control", "Vary"} {
				is.Equal(zipped.header.Get(field), plain.header.Get(field))
			}
			if !want {
				is.Equal(zipped.body, plain.body)
				return
			}
			is.Equal(unzip(t, zipped.body), plain.body)
			is.True(len(zipped.body) < len(plain.body))
			if path != exportPath {
				is.Equal(len(s.exchange(t, "GET", path, "Accept-Encoding", "gzip").body), len(zipped.body)) // the length of the padding is the same for each request
				head := s.exchange(t, "HEAD", path, "Accept-Encoding", "gzip")
				is.Equal(head.body, "")
				is.Equal(head.header.Get("Content-Length"), zipped.header.Get("Content-Length"))
				again := s.exchange(t, "GET", path, "Accept-Encoding", "gzip", "If-None-Match", plain.header.Get("ETag"))
				is.Equal(again.status, http.StatusNotModified)
				is.Equal(again.body+again.header.Get("Content-Encoding"), "")
			}
		})
	}
	t.Run("the description is less than an eighth of its size", func(t *testing.T) {
		is := is.New(t)
		plain := s.exchange(t, "GET", "/openapi.json", "Accept-Encoding", "identity")
		is.True(len(s.exchange(t, "GET", "/openapi.json", "Accept-Encoding", "gzip").body)*8 < len(plain.body))
	})
	t.Run("a response with a secret is not compressed", func(t *testing.T) {
		is := is.New(t)
		a := s.request("POST", "/v2/api_keys").set("Accept-Encoding", "gzip").
			with(`{"data":{"type":"api_keys","attributes":{"scope":"read","name":"a` + strings.Repeat("\u2028", 253) + `a"}}}`).send(t)
		is.Equal(a.status, http.StatusCreated)
		is.True(len(a.body) > 1400) // long enough to be compressed otherwise
		is.Equal(a.header.Get("Content-Encoding"), "")
	})
}

// exchange sends a request with the school's key and returns the response as the server sent it,
// compressed or not.
func (s *server) exchange(t *testing.T, method, path string, header ...string) response {
	t.Helper()
	resp, err := http.DefaultClient.Do(s.newRequest(t, method, path, append([]string{"X-Api-Key", s.key}, header...)...)) //lint:ignore bodyclose readResponse closes it
	return readResponse(t, resp, err)
}

// unzip returns the uncompressed body.
func unzip(t *testing.T, body string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}
