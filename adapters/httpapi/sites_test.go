package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/domain/school"
)

// Links of a site that is not configured lead to an explanation. Links of a configured site lead to
// the site, and its default path does not exist on this server.
func TestMissingSites(t *testing.T) {
	missing := httpapi.Links{Base: "https://a.test", App: "https://a.test/app/{school}", Academy: "https://a.test/learn/{school}"}
	configured := httpapi.Links{Base: "https://a.test", App: "https://app.test", Academy: "https://learn.test/learn"}
	for _, tt := range []struct {
		links                httpapi.Links
		method, path, accept string
		status               int
		body                 string
	}{
		{missing, "GET", "/learn/c/x", "text/html,*/*;q=0.8", 404, "<code>academy-url</code> (<code>LYCEUM_ACADEMY_URL</code>)"},
		{missing, "HEAD", "/learn/c/x", "text/html", 404, ""},
		{missing, "GET", "/learn", "text/html", 404, "No site for learners is configured"},
		{missing, "GET", "/learn", "text/html", 404, "Or set <code>academy</code> to <code>true</code>"},
		{missing, "GET", "/app/x", "text/html", 404, "This server does not show the web application.</p>"},
		{missing, "GET", "/app/courses/a/b%2Fc", "text/html", 404, "<code>app-url</code> (<code>LYCEUM_APP_URL</code>)"},
		{missing, "GET", "/learn/c/x", "", 404, "This server has no site for learners; set academy-url to the address of one"},
		{missing, "POST", "/app/x", "application/json", 404, "set app-url"},
		{missing, "GET", "/learning", "text/html", 401, "credentials"},
		{configured, "GET", "/learn/c/x", "text/html", 401, "credentials"},
		{configured, "GET", "/app/x", "text/html", 401, "credentials"},
	} {
		t.Run(tt.method+" "+tt.path+" "+tt.accept, func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{Links: tt.links}, always)
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, http.NoBody)
			r.Header.Set("Accept", tt.accept)
			// a.serve would fail, because the OpenAPI document does not describe the page.
			w := httptest.NewRecorder()
			a.handler.ServeHTTP(w, r)
			is.Equal(w.Code, tt.status)
			is.True(strings.Contains(w.Body.String(), tt.body))
			html := strings.Contains(tt.accept, "text/html") && tt.status == http.StatusNotFound
			is.Equal(strings.HasPrefix(w.Header().Get("Content-Type"), "text/html"), html)
			is.Equal(strings.Contains(w.Header().Get("Content-Security-Policy"), "style-src 'sha256-"), html)
		})
	}
}

// A page that waits for an identity provider holds a slot of its own, so that it delays no other
// request.
func TestSlowProvidersHoldNoOtherSlots(t *testing.T) {
	const slowPath = "/learn/school/sso"
	is := is.New(t)
	began, end := make(chan struct{}), make(chan struct{})
	var handler *httpapi.API
	academy := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == slowPath {
			is.NoErr(handler.Admit(r.Context(), school.ID{UUID: uuid.UUID{1}}, limits.Provider))
			began <- struct{}{}
			<-end
		}
	})
	a := newAPI(t, httpapi.Config{
		Academy: academy, Admission: limits.Admission{Slots: 2, Wait: time.Millisecond}, Links: httpapi.Links{Base: "https://a.test"},
	}, always)
	handler = a.handler
	serve := func(path string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		w := httptest.NewRecorder()
		a.handler.ServeHTTP(w, r)
		return w.Code
	}
	var signIns sync.WaitGroup
	for range 4 {
		signIns.Go(func() { serve(slowPath) })
		<-began
	}
	is.Equal(serve("/learn/school/courses"), http.StatusOK)
	is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
	close(end)
	signIns.Wait()
}
