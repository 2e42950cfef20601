package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/test/api/contract"
)

const (
	player = "https://learn.example" // an allowed origin
	vary   = "Accept, Accept-Encoding"
	// exposed is the value of the response header that lists middleware.ExposedHeaders.
	exposed = "Age, Allow, Content-Disposition, Deprecation, Etag, Idempotent-Replayed, Link, Location, Ratelimit, Ratelimit-Policy, Retry-After, Www-Authenticate, X-Request-Id"
)

// crossOrigin sends a request as a web page would. headers alternates between names and values.
func (a *api) crossOrigin(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(a.t.Context(), method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return a.serve(r)
}

// A preflight request needs no key. Its response allows the methods and headers of the API to pages
// of an allowed origin.
func TestPreflight(t *testing.T) {
	const needed = "content-type,idempotency-key,x-api-key"
	tests := []struct {
		name                          string
		origins                       []string
		path, origin, method, headers string
		want                          string // the allowed origin
	}{
		{"list", []string{player}, "/v2/courses", player, "GET", "authorization", player},
		{"create", []string{"https://a.example", player}, "/v2/people", player, "POST", needed, player},
		{"delete", []string{player}, "/v1/categories/x", player, "DELETE", "if-match", player},
		{"a path that does not exist", []string{player}, "/v2/nothing", player, "GET", "x-api-key", player},
		{"every origin", []string{"*"}, "/v2/courses", player, "GET", "x-api-key", "*"},
		{"another origin", []string{player}, "/v2/courses", "https://evil.example", "GET", "x-api-key", ""},
		{"another scheme", []string{player}, "/v2/courses", "http://learn.example", "GET", "x-api-key", ""},
		{"another port", []string{player}, "/v2/courses", player + ":8443", "GET", "x-api-key", ""},
		{"a longer host", []string{player}, "/v2/courses", player + ".evil.example", "GET", "x-api-key", ""},
		{"a sandboxed page", []string{player}, "/v2/courses", "null", "GET", "x-api-key", ""},
		{"an unknown header", []string{player}, "/v2/courses", player, "GET", "x-other", ""},
		{"an unknown method", []string{player}, "/v2/courses", player, "TRACE", "x-api-key", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{Origins: tt.origins}, nil)
			w := a.crossOrigin("OPTIONS", tt.path, "Origin", tt.origin,
				"Access-Control-Request-Method", tt.method, "Access-Control-Request-Headers", tt.headers)
			is.Equal(w.Code, http.StatusNoContent)
			is.Equal(w.Body.String(), "")
			h := w.Header()
			is.Equal(h.Get("Access-Control-Allow-Origin"), tt.want)
			is.Equal(h.Get("Access-Control-Allow-Credentials"), "")
			is.Equal(strings.Join(h.Values("Vary"), ", "), vary+", Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
			is.Equal(a.lookups.Load(), int64(0)) // no key was looked up
			if tt.want == "" {
				return
			}
			is.Equal(h.Get("Access-Control-Allow-Methods"), tt.method)
			is.Equal(h.Get("Access-Control-Allow-Headers"), tt.headers)
			is.Equal(h.Get("Access-Control-Max-Age"), "7200")
		})
	}
}

// A page of an allowed origin can read its responses, including errors. For other origins, the
// response has no CORS headers except Vary, which lets caches distinguish the responses.
func TestCrossOriginResponses(t *testing.T) {
	tests := []struct {
		name                        string
		origins                     []string
		path, key, origin           string
		status                      int
		allowed, exposed, wantsVary string
	}{
		{"allowed", []string{player}, "/v2/courses", "key", player, 200, player, exposed, vary + ", Origin"},
		{"without a key", []string{player}, "/v2/courses", "", player, 401, player, exposed, vary + ", Origin"},
		{"unknown path", []string{player}, "/v2/nothing", "key", player, 404, player, exposed, vary + ", Origin"},
		{"every origin", []string{"*"}, "/v2/courses", "key", player, 200, "*", exposed, vary + ", Origin"},
		{"another origin", []string{player}, "/v2/courses", "key", "https://evil.example", 200, "", "", vary + ", Origin"},
		{"no page", []string{player}, "/v2/courses", "key", "", 200, "", "", vary + ", Origin"},
		{"off", nil, "/v2/courses", "key", player, 200, "", "", vary},
		{"not the API", []string{"*"}, "/healthz", "", player, 200, "", "", vary},
		{"the description", []string{"*"}, "/openapi.json", "", player, 200, "", "", vary},
		{"the page of an invitation", []string{"*"}, "/invitations/" + strings.Repeat("1", 40), "", player, 404, "", "", vary + ", Accept-Language"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{Origins: tt.origins}, nil)
			headers := []string{"Origin", tt.origin}
			if tt.key != "" {
				headers = append(headers, "X-Api-Key", a.key)
			}
			w := a.crossOrigin("GET", tt.path, headers...)
			is.Equal(w.Code, tt.status)
			h := w.Header()
			is.Equal(h.Get("Access-Control-Allow-Origin"), tt.allowed)
			is.Equal(h.Get("Access-Control-Expose-Headers"), tt.exposed)
			is.Equal(h.Get("Access-Control-Allow-Credentials"), "")
			is.Equal(strings.Join(h.Values("Vary"), ", "), tt.wantsVary)
		})
	}
}

// An OPTIONS request that is not a preflight request needs a key, and so does a preflight request
// if no origin is allowed.
func TestOptionsWithoutPreflight(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{Origins: []string{player}}, nil)
	is.Equal(a.crossOrigin("OPTIONS", "/v2/courses", "Origin", player).Code, http.StatusUnauthorized)
	off := newAPI(t, httpapi.Config{}, nil)
	is.Equal(off.crossOrigin("OPTIONS", "/v2/courses", "Origin", player, "Access-Control-Request-Method", "GET").Code, http.StatusUnauthorized)
}

// Preflight requests are spaced like all requests without a key: in a flood, some get 503.
func TestPreflightsAreSpaced(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{Origins: []string{player}, Admission: limits.Admission{Wait: time.Nanosecond}}, nil)
	refused := false
	for range 10_000 {
		w := a.crossOrigin("OPTIONS", "/v2/courses", "Origin", player, "Access-Control-Request-Method", "GET")
		if refused = w.Code == http.StatusServiceUnavailable; refused {
			is.Equal(w.Header().Get("Access-Control-Allow-Origin"), player) // the page can read the error
			break
		}
	}
	is.True(refused)
}

// A page can send each request header that the OpenAPI document names, and read each response
// header that it names.
func TestCrossOriginHeadersOfTheDescription(t *testing.T) {
	is := is.New(t)
	described, err := contract.Description()
	is.NoErr(err)
	sent, received := described.Headers()
	is.True(len(sent) > 2 && len(received) > 5)
	a := newAPI(t, httpapi.Config{Origins: []string{player}}, nil)
	for _, name := range sent {
		w := a.crossOrigin("OPTIONS", "/v2/courses", "Origin", player,
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", strings.ToLower(name))
		is.Equal(w.Header().Get("Access-Control-Allow-Origin"), player) // a page can send this header
	}
	readable := map[string]bool{
		"Cache-Control": true, "Content-Length": true, "Content-Type": true, // always readable (Fetch standard)
		"Content-Range": true, // only for downloads, which are below another path
	}
	for _, name := range middleware.ExposedHeaders {
		readable[http.CanonicalHeaderKey(name)] = true
	}
	for _, name := range received {
		if !readable[http.CanonicalHeaderKey(name)] {
			t.Errorf("a page cannot read %s", name)
		}
	}
}
