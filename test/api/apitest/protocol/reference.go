package protocol

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// Reference checks that the reference page needs no key and loads files only from this server.
func Reference(t *testing.T, s *fixture.Server) {
	fetch := func(t *testing.T, path, encoding string) fixture.Response {
		t.Helper()
		return s.Request("GET", path).As("").Set("Accept", "text/html").Set("Accept-Encoding", encoding).Send(t)
	}
	page := fetch(t, "/docs/", "identity")
	t.Run("the page", func(t *testing.T) {
		is := is.New(t)
		is.Equal(page.Status, 200)
		is.Equal(page.Header.Get("Content-Type"), "text/html; charset=utf-8")
		is.Equal(page.Header.Get("Cache-Control"), "max-age=0, private, must-revalidate")
		is.True(strings.Contains(page.Body, "<title>Lyceum API</title>"))
		again := s.Request("GET", "/docs").As("").Set("If-None-Match", page.Header.Get("ETag")).Send(t)
		is.Equal(again.Status, 304)

		policy := page.Header.Get("Content-Security-Policy")
		is.True(strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; "))
		is.True(strings.Contains(policy, "connect-src 'self'; "))
		is.Equal(strings.Count(policy, "unsafe"), 1) // only styles may be inline
		is.True(strings.Contains(policy, "style-src 'self' 'unsafe-inline';"))
	})

	t.Run("the files of the page", func(t *testing.T) {
		is := is.New(t)
		names := regexp.MustCompile(`"/lyceum(/docs/[^"]+)"`).FindAllStringSubmatch(page.Body, -1)
		is.Equal(len(names), 3)
		for _, name := range names {
			plain := fetch(t, name[1], "identity")
			is.Equal(plain.Status, 200)
			is.Equal(plain.Header.Get("Content-Encoding"), "")
			is.Equal(plain.Header.Get("Cache-Control"), "public, max-age=31536000, immutable")
			is.Equal(plain.Header.Get("Vary"), "Accept-Encoding")
			head := s.Request("HEAD", name[1]).As("").Set("Accept-Encoding", "identity").Send(t)
			is.Equal(head.Status, 200)
			is.Equal(head.Body, "")
			for _, field := range []string{"Content-Type", "Content-Length", "Content-Encoding", "Cache-Control", "Etag", "Vary"} {
				is.Equal(head.Header.Get(field), plain.Header.Get(field))
			}
			is.Equal(s.Request("GET", name[1]).As("").Set("If-None-Match", plain.Header.Get("ETag")).Send(t).Status, 304)
			for _, encoding := range []string{"gzip", "br, gzip;q=0.5", "*", "GZIP", "*;q=0, gzip"} {
				zipped := fetch(t, name[1], encoding)
				is.True(zipped.Header.Get("Content-Encoding") == "gzip" || len(plain.Body) < 1e4)
				if zipped.Header.Get("Content-Encoding") == "gzip" {
					is.Equal(fixture.Unzip(t, zipped.Body), plain.Body)
				}
			}
			for _, encoding := range []string{"br", "gzip;q=0", "gzip;q=0, *", "*;q=0"} {
				is.Equal(fetch(t, name[1], encoding).Body, plain.Body)
			}
		}
	})

	t.Run("no other path below it exists", func(t *testing.T) {
		is := is.New(t)
		for _, path := range []string{"/docs/page.js", "/docs/..", "/docs/../v1/people", "/docs/" + routes.Script + "/x", "/docs%2F" + routes.Script, "/docsx"} {
			a := s.Request("GET", path).As("").Send(t)
			is.True(a.Status == 404 || a.Status == 401)
		}
		is.Equal(s.Request("GET", "/docs/nothing").As("").Send(t).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Request("GET", "/docsx").As("").Send(t).Status, 401)
	})

	t.Run("the page can be disabled", func(t *testing.T) {
		is := is.New(t)
		h := httpapi.New(s.App, httpapi.Config{NoReference: true}, slog.New(slog.DiscardHandler))
		for path, status := range map[string]int{"/docs": 404, "/docs/" + routes.Script: 404, "/openapi.json": 200} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
			is.Equal(w.Code, status)
		}
	})
}
