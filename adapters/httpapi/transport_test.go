package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
)

func fine(context.Context) error { return nil }

func newRequest(t *testing.T, path string) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
}

func TestTransport(t *testing.T) {
	const list, hsts = "/v1/categories", "max-age=31536000"
	tests := []struct {
		name, path        string
		answerable, https bool
		key               bool
		status            int
		hsts              string
	}{
		{"plain, allowed", list, true, false, true, 200, ""},
		{"plain, refused", list, false, false, true, 403, ""},
		{"plain, refused before the key is looked at", list, false, false, false, 403, ""},
		{"plain, refused before it is known what exists", "/nothing", false, false, false, 403, ""},
		{"HTTPS", list, true, true, true, 200, hsts},
		{"HTTPS without a key", list, true, true, false, 401, hsts},
		{"health, plain", "/healthz", false, false, false, 200, ""},
		{"readiness, plain, with slashes", "//readyz/", false, false, false, 200, ""},
		{"a path that begins like health, plain", "/healthz/more", false, false, false, 403, ""},
		{"health, HTTPS", "/healthz", true, true, false, 200, hsts},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{
				Transport: func(*http.Request) (bool, bool) { return tt.answerable, tt.https },
			}, fine)
			r := newRequest(t, tt.path)
			if tt.key {
				r.Header.Set("X-Api-Key", a.key)
			}
			w := a.serve(r)
			is.Equal(w.Code, tt.status)
			is.Equal(w.Header().Get("Strict-Transport-Security"), tt.hsts)
			if tt.status == 403 {
				is.Equal(w.Body.String(), `{"errors":[{"status":"403","title":"Forbidden",`+
					`"detail":"HTTPS is required","source":{}}]}`)
			}
		})
	}
}

// Refused requests of a network are spaced like others without a key.
func TestRefusedTransportsAreSpaced(t *testing.T) {
	for name, cfg := range map[string]httpapi.Config{
		"plain":        {Transport: func(*http.Request) (bool, bool) { return false, false }},
		"another host": {LocalOnly: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, cfg, always)
				begin := time.Now()
				for range 20 * limiter.Processors() {
					is.Equal(a.from(client, "", http.MethodGet, "/v1/courses").Code, http.StatusForbidden)
				}
				is.True(time.Since(begin) >= 5*time.Millisecond)
			})
		})
	}
}

func TestHealth(t *testing.T) {
	down := func(context.Context) error { return errors.New(secret) }
	readOnly := func(context.Context) error {
		return fmt.Errorf("%s: %w", secret, fault.Unavailablef("The database is read-only"))
	}
	tests := []struct {
		name     string
		path     string
		store    func(context.Context) error
		draining bool
		status   int
		body     string
	}{
		{"alive", "/healthz", fine, false, 200, `{"status":"up"}`},
		{"alive without a store", "/healthz", down, false, 200, `{"status":"up"}`},
		{"alive while draining", "/healthz", fine, true, 200, `{"status":"up"}`},
		{"ready", "/readyz", fine, false, 200, `{"status":"up"}`},
		{"not ready without a store", "/readyz", down, false, 503, `{"status":"down","reason":"The database is unreachable"}`},
		{"not ready, and why", "/readyz", readOnly, false, 503, `{"status":"down","reason":"The database is read-only"}`},
		{"not ready while draining", "/readyz", fine, true, 503, `{"status":"draining"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{Draining: func() bool { return tt.draining }}, tt.store)
			w := a.serve(newRequest(t, tt.path))
			is.Equal(w.Code, tt.status)
			is.Equal(w.Body.String(), tt.body)
			is.Equal(w.Header().Get("Content-Type"), "application/json; charset=utf-8")
			is.Equal(w.Header().Get("Retry-After") != "", tt.status == 503)
		})
	}
}

// The log contains one message when the store becomes unavailable, with the reason, and one message
// when the store is available again.
func TestHealthIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var failure error
		a := newAPI(t, httpapi.Config{}, func(context.Context) error { return failure })
		logged := func(err error) string {
			failure = err
			a.log.Reset()
			for range 3 {
				time.Sleep(2 * time.Second) // a result is cached for a second
				a.serve(newRequest(t, "/readyz"))
			}
			var lines []string
			for line := range strings.Lines(a.log.String()) {
				if !strings.Contains(line, "msg=request ") {
					_, line, _ = strings.Cut(line, " ") // the line without its time
					lines = append(lines, line)
				}
			}
			return strings.Join(lines, "")
		}
		is.Equal(logged(nil), "")
		is.Equal(logged(errors.New(secret)), "level=WARN msg=\"not ready\" check=store error=\"hunter2 of … and …\"\n")
		is.Equal(logged(nil), "level=INFO msg=\"ready again\" check=store\n")
		is.Equal(logged(errors.New("again")), "level=WARN msg=\"not ready\" check=store error=again\n")
	})
}

// A request over a connection without HTTPS is refused before content negotiation. The error has
// the media type that the request accepts, or JSON.
func TestTransportCheckPrecedesNegotiation(t *testing.T) {
	refuse := func(*http.Request) (bool, bool) { return false, false }
	for accept, want := range map[string]string{
		"application/vnd.api+json": "application/vnd.api+json",
		"text/html":                "application/json; charset=utf-8",
	} {
		t.Run(accept, func(t *testing.T) {
			is := is.New(t)
			r := newRequest(t, "/v1/categories")
			r.Header.Set("Accept", accept)
			w := newAPI(t, httpapi.Config{Transport: refuse}, fine).serve(r)
			is.Equal(w.Code, 403)
			is.Equal(w.Header().Get("Content-Type"), want)
		})
	}
}

// A client that disconnects during a readiness check does not affect the cached result.
func TestHealthIgnoresClientDisconnect(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, func(ctx context.Context) error { return ctx.Err() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.serve(newRequest(t, "/readyz").WithContext(ctx))
	is.Equal(a.serve(newRequest(t, "/readyz")).Code, 200)
}

// Links of the zero Config are relative.
func TestZeroConfigHasRelativeLinks(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, fine)
	is.Equal(a.get(t.Context(), "/v1/categories").Body.String(), `{"links":{"self":"/v1/categories"},"data":[]}`)
}

func TestBodyLimit(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{BodyLimit: 1}, fine)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/categories", http.NoBody)
	r.Header.Set("X-Api-Key", a.key)
	is.Equal(a.serve(r).Code, 400)
	r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/categories", brokenBody{})
	r.Header.Set("X-Api-Key", a.key)
	is.Equal(a.serve(r).Code, 400)
}

// brokenBody is a body that cannot be read.
type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

// A query with too many parameters is refused before it is parsed.
func TestTooManyParameters(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
	w := a.get(t.Context(), "/v1/coupons?x"+strings.Repeat("&x", 2000))
	is.Equal(w.Code, http.StatusBadRequest)
	is.True(strings.Contains(w.Body.String(), "The query has more than 2000 parameters"))
	is.Equal(a.get(t.Context(), "/healthz?x"+strings.Repeat("&x", 1999)).Code, http.StatusOK)
}
