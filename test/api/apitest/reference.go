package apitest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/reference"
)

// script is a file of the reference page. Its name contains a hash of its content.
var script = func() string {
	r, err := reference.New("")
	if err != nil {
		panic(err) // the embedded files are invalid
	}
	return regexp.MustCompile(`page-[0-9a-f]+\.js`).FindString(string(r.Page))
}()

// referencePage checks that the reference page needs no key and loads files only from this server.
func referencePage(t *testing.T, s *server) {
	fetch := func(t *testing.T, path, encoding string) response {
		t.Helper()
		return s.request("GET", path).as("").set("Accept", "text/html").set("Accept-Encoding", encoding).send(t)
	}
	page := fetch(t, "/docs/", "identity")
	t.Run("the page", func(t *testing.T) {
		is := is.New(t)
		is.Equal(page.status, 200)
		is.Equal(page.header.Get("Content-Type"), "text/html; charset=utf-8")
		is.Equal(page.header.Get("Cache-Control"), "max-age=0, private, must-revalidate")
		is.True(strings.Contains(page.body, "<title>Lyceum API</title>"))
		again := s.request("GET", "/docs").as("").set("If-None-Match", page.header.Get("ETag")).send(t)
		is.Equal(again.status, 304)

		policy := page.header.Get("Content-Security-Policy")
		is.True(strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; "))
		is.True(strings.Contains(policy, "connect-src 'self'; "))
		is.Equal(strings.Count(policy, "unsafe"), 1) // only styles may be inline
		is.True(strings.Contains(policy, "style-src 'self' 'unsafe-inline';"))
	})

	t.Run("the files of the page", func(t *testing.T) {
		is := is.New(t)
		names := regexp.MustCompile(`"/lyceum(/docs/[^"]+)"`).FindAllStringSubmatch(page.body, -1)
		is.Equal(len(names), 3)
		for _, name := range names {
			plain := fetch(t, name[1], "identity")
			is.Equal(plain.status, 200)
			is.Equal(plain.header.Get("Content-Encoding"), "")
			is.Equal(plain.header.Get("Cache-Control"), "public, max-age=31536000, immutable")
			is.Equal(plain.header.Get("Vary"), "Accept-Encoding")
			head := s.request("HEAD", name[1]).as("").set("Accept-Encoding", "identity").send(t)
			is.Equal(head.status, 200)
			is.Equal(head.body, "")
			for _, field := range []string{"Content-Type", "Content-Length", "Content-Encoding", "Cache-Control", "Etag", "Vary"} {
				is.Equal(head.header.Get(field), plain.header.Get(field))
			}
			is.Equal(s.request("GET", name[1]).as("").set("If-None-Match", plain.header.Get("ETag")).send(t).status, 304)
			for _, encoding := range []string{"gzip", "br, gzip;q=0.5", "*", "GZIP", "*;q=0, gzip"} {
				zipped := fetch(t, name[1], encoding)
				is.True(zipped.header.Get("Content-Encoding") == "gzip" || len(plain.body) < 1e4)
				if zipped.header.Get("Content-Encoding") == "gzip" {
					is.Equal(unzip(t, zipped.body), plain.body)
				}
			}
			for _, encoding := range []string{"br", "gzip;q=0", "gzip;q=0, *", "*;q=0"} {
				is.Equal(fetch(t, name[1], encoding).body, plain.body)
			}
		}
	})

	t.Run("no other path below it exists", func(t *testing.T) {
		is := is.New(t)
		for _, path := range []string{"/docs/page.js", "/docs/..", "/docs/../v1/people", "/docs/" + script + "/x", "/docs%2F" + script, "/docsx"} {
			a := s.request("GET", path).as("").send(t)
			is.True(a.status == 404 || a.status == 401)
		}
		is.Equal(s.request("GET", "/docs/nothing").as("").send(t).failures(t), []string{"404 " + missing})
		is.Equal(s.request("GET", "/docsx").as("").send(t).status, 401)
	})

	t.Run("the page can be disabled", func(t *testing.T) {
		is := is.New(t)
		h := httpapi.New(s.app, httpapi.Config{NoReference: true}, slog.New(slog.DiscardHandler))
		for path, status := range map[string]int{"/docs": 404, "/docs/" + script: 404, "/openapi.json": 200} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
			is.Equal(w.Code, status)
		}
	})
}
