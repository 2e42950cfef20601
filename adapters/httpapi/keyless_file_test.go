package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
)

// Requests for large files without a key are spaced according to the size of the file, for each
// network separately.
func TestKeylessFilesAreSpacedBySize(t *testing.T) {
	const times = 200
	for name, tt := range map[string]struct {
		method, path string
		zipped       bool
		known        bool // whether the client has the file already
		waits        bool
	}{
		"the description":          {method: http.MethodGet, path: "/openapi.json", waits: true},
		"the library":              {method: http.MethodGet, path: "/docs/scalar.js", waits: true},
		"the library, compressed":  {method: http.MethodGet, path: "/docs/scalar.js", zipped: true, waits: true},
		"only the headers":         {method: http.MethodHead, path: "/docs/scalar.js"},
		"the description is known": {method: http.MethodGet, path: "/openapi.json", known: true},
		"a small file":             {method: http.MethodGet, path: "/docs/page.css"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
				path := tt.path
				if found := regexp.MustCompile(`/docs/(scalar|page)`).FindString(path); found != "" {
					page := a.from(client, "", http.MethodGet, "/docs").Body.String()
					path = regexp.MustCompile(found + `-[0-9a-f]+` + regexp.QuoteMeta(path[len(found):])).FindString(page)
				}
				request := func(tag string) (http.Header, int) {
					r := httptest.NewRequestWithContext(t.Context(), tt.method, path, http.NoBody)
					r.Header.Set("If-None-Match", tag)
					if tt.zipped {
						r.Header.Set("Accept-Encoding", "gzip")
					}
					w := &discard{header: http.Header{}}
					a.handler.ServeHTTP(w, r)
					return w.header, w.status
				}
				h, status := request("")
				is.Equal(status, http.StatusOK)
				is.Equal(h.Get("Content-Encoding") == "gzip", tt.zipped)
				tag := ""
				if tt.known {
					tag = h.Get("ETag")
				}
				time.Sleep(time.Second)
				begin := time.Now()
				for range times {
					_, status = request(tag)
					is.True(status < http.StatusBadRequest)
				}
				// Each processor starts 1000 requests of weight 1 per second.
				is.Equal(time.Since(begin) > times*time.Millisecond, tt.waits)
			})
		})
	}
}

// A response that refuses a file has none of the headers of the file.
func TestKeylessFileRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
		refused := 0
		done := make(chan *discard)
		const times = 500
		for range times {
			go func() {
				w := &discard{header: http.Header{}}
				a.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/openapi.json", http.NoBody))
				done <- w
			}()
		}
		for range times {
			if w := <-done; w.status == http.StatusServiceUnavailable {
				refused++
				is.Equal(w.header.Get("ETag"), "")
				is.Equal(w.header.Get("Content-Encoding"), "")
				is.Equal(w.header.Get("Cache-Control"), "no-cache")
			}
		}
		is.True(refused > 0)
	})
}
