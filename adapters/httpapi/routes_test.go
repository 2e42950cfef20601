package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
)

// The path of a request determines whether the request needs a key, HTTPS and a suitable Accept
// header, even if the path has no route or its route does not support the method.
func TestPathPolicies(t *testing.T) {
	const html = "text/html"
	tests := []struct {
		method, path, accept string
		status               int // status of a request without a key
		plain                int // status of the same request over plain HTTP
	}{
		{"GET", "/healthz", html, 406, 406},
		{"GET", "/healthz", "", 200, 200},
		{"OPTIONS", "/healthz", "", 204, 204},
		{"DELETE", "/readyz", "", 405, 405},
		{"GET", "/healthz/more", "", 401, 403},
		{"GET", "/openapi.json", "", 200, 403},
		{"GET", "/openapi.json", html, 406, 403},
		{"POST", "/openapi.json", "", 405, 403},
		{"GET", "/docs", html, 200, 403},
		{"OPTIONS", "/docs", html, 204, 403},
		{"DELETE", "/docs", html, 405, 403},
		{"GET", "/docs/missing.js", html, 404, 403},
		{"POST", "/docs/missing.js", html, 405, 403},
		{"GET", "/docs/a/b", html, 404, 403},
		{"GET", "/docs%2Fa", html, 404, 403},
		{"GET", "/docsa", "", 401, 403},
		{"GET", "/invitations/x", html, 404, 403},
		{"OPTIONS", "/invitations/x", "", 204, 403},
		{"OPTIONS", "/invitations/x", html, 406, 403},
		{"PATCH", "/invitations/x", "", 405, 403},
		{"GET", "/invitations", "", 401, 403},
		{"GET", "/invitations/x/y", "", 401, 403},
		{"GET", "/invitations%2Fx", "", 401, 403},
		{"GET", "/invitations/x%2Fy", html, 404, 403},
		{"POST", "/v2/invitations/x/acceptance", "", 404, 403},
		{"POST", "/v2/invitations/x/acceptance", html, 406, 403},
		{"GET", "/v2/invitations/x/acceptance", "", 405, 403},
		{"GET", "/v2/invitations/x", "", 401, 403},
		{"GET", "/files/submissions/1/a.txt", html, 403, 403},
		{"OPTIONS", "/files/submissions/1/a.txt", html, 406, 403},
		{"DELETE", "/files/submissions/1/a.txt", "", 405, 403},
		{"GET", "/files", "", 401, 403},
		{"GET", "/files/submissions/1", "", 401, 403},
		{"GET", "/files/submissions/1/a/b", "", 401, 403},
		{"GET", "/files/submissions//a", "", 401, 403},
		{"GET", "/v2/people", html, 401, 403},
		{"OPTIONS", "/v2/people", "", 401, 403},
		{"GET", "/", "", 200, 403},
		{"DELETE", "/", "", 405, 403},
		{"GET", "/favicon.svg", "image/svg+xml", 200, 403},
		{"GET", "/favicon.gif", "", 401, 403},
		{"GET", "/v2/export", html, 401, 403},
	}
	isHTTPS := true
	a := newAPI(t, httpapi.Config{
		Links:     httpapi.Links{Base: "https://a.test", Download: "https://a.test/files"},
		Transport: func(*http.Request) (bool, bool) { return isHTTPS, isHTTPS },
	}, always)
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path+" "+tt.accept, func(t *testing.T) {
			is := is.New(t)
			status := func() int {
				r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, http.NoBody)
				if tt.accept != "" {
					r.Header.Set("Accept", tt.accept)
				}
				return a.serve(r).Code
			}
			isHTTPS = true
			is.Equal(status(), tt.status)
			isHTTPS = false
			is.Equal(status(), tt.plain)
		})
	}
}

// Paths under /docs need no key even if the page is disabled.
func TestNoReferenceNeedsNoKey(t *testing.T) {
	a := newAPI(t, httpapi.Config{NoReference: true}, always)
	for _, path := range []string{"/docs", "/docs/a.js", "/docs/a/b"} {
		is := is.New(t)
		// a.serve would fail, because the OpenAPI document does not describe the page.
		w := httptest.NewRecorder()
		a.handler.ServeHTTP(w, newRequest(t, path))
		is.Equal(w.Code, http.StatusNotFound)
	}
}
