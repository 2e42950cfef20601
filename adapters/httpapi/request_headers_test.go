package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/limiter"
	"lyceum/adapters/redact"
)

// Headers that are too large are refused before authentication. A repeated name is counted each
// time, although it needs only one byte in HTTP/2.
func TestLargeHeaders(t *testing.T) {
	tests := map[string]struct {
		values []string
		status int
	}{
		"15 KiB":        {[]string{strings.Repeat("x", 15<<10)}, http.StatusUnauthorized},
		"16 KiB":        {[]string{strings.Repeat("x", 16<<10)}, http.StatusRequestHeaderFieldsTooLarge},
		"many times":    {strings.Split(strings.Repeat(strings.Repeat("x", 3800)+",", 14), ","), http.StatusRequestHeaderFieldsTooLarge},
		"empty headers": {make([]string, 2000), http.StatusRequestHeaderFieldsTooLarge},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{}, always)
			for _, header := range []string{"Accept", "Cookie"} {
				for _, path := range []string{"/v1/coupons", "/nothing", "/healthz"} {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
					r.Header[header] = tt.values
					want := tt.status
					if path == "/healthz" && want == http.StatusUnauthorized {
						want = http.StatusOK
					}
					is.Equal(a.serve(r).Code, want)
				}
			}
		})
	}
}

func TestLongContentType(t *testing.T) {
	a := newAPI(t, httpapi.Config{}, always)
	for size, want := range map[int]int{1 << 10: http.StatusUnsupportedMediaType, 1<<10 + 1: http.StatusRequestHeaderFieldsTooLarge} {
		is := is.New(t)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/categories", strings.NewReader("{}"))
		r.Header.Set("X-Api-Key", a.key)
		r.Header.Set("Content-Type", strings.Repeat("x", size))
		is.Equal(a.serve(r).Code, want)
	}
}

// Headers that would take much processor time are ignored.
func TestCostlyHeaders(t *testing.T) {
	var got http.Header
	a := newAPI(t, httpapi.Config{
		Academy: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }),
		Links:   httpapi.Links{Base: "https://a.test"},
	}, always)
	for _, tt := range []struct{ name, value, want string }{
		{"Range", "bytes=3-7", "bytes=3-7"},
		{"Range", "bytes=3-7,9-9", ""},
		{"Range", "bytes=" + strings.Repeat("0-0,", 4000), ""},
		{"Accept-Language", "de-CH, de;q=0.9, en;q=0.8", "de-CH, de;q=0.9, en;q=0.8"},
		{"Accept-Language", strings.Repeat("d", 1<<10), strings.Repeat("d", 1<<10)},
		{"Accept-Language", strings.Repeat("d", 1<<10+1), ""},
	} {
		is := is.New(t)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/learn/school/courses", http.NoBody)
		r.Header.Set(tt.name, tt.value)
		a.handler.ServeHTTP(httptest.NewRecorder(), r)
		is.Equal(got.Get(tt.name), tt.want)
	}
}

// A network can send a hundred small health requests in a second.
func TestProbesAreSpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{}, always)
		begin := time.Now()
		for i := range 400 {
			path := []string{"/healthz", "/readyz"}[i%2]
			is.Equal(a.from(client, "", http.MethodGet, path).Code, http.StatusOK)
		}
		is.Equal(time.Since(begin).Round(time.Second), 3*time.Second)
		begin = time.Now()
		is.Equal(a.from(another, "", http.MethodGet, "/readyz").Code, http.StatusOK)
		is.Equal(a.from(client, "", http.MethodGet, "/").Code, http.StatusOK) // other requests are not delayed
		is.Equal(time.Since(begin), time.Duration(0))
	})
}

// Large health requests are spaced like other requests. Some small health requests, as load
// balancers send them, are not.
func TestLargeProbesAreSpaced(t *testing.T) {
	tests := map[string]struct {
		path, agent string
		waits       bool
	}{
		"small":         {"/healthz?verbose=1", "kube-probe/1.33", false},
		"large headers": {"/healthz", strings.Repeat("x", 10<<10), true},
		"a long query":  {"/readyz?" + strings.Repeat("x", 10<<10), "", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{}, always)
				begin := time.Now()
				for range 20 * limiter.Processors() {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, tt.path, http.NoBody)
					r.Header.Set("User-Agent", tt.agent)
					is.Equal(a.serve(r).Code, http.StatusOK)
				}
				is.Equal(time.Since(begin) >= 5*time.Millisecond, tt.waits)
			})
		})
	}
}

// Only the beginning of a long user agent is searched for secrets. A secret that begins
// in the logged part is hidden.
func TestLongUserAgents(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("ada@example.test ", 4000)
	is.True(testing.AllocsPerRun(1, func() { redact.Agent(long) }) < 100)
	for _, secret := range []string{
		"lyc_" + strings.Repeat("0a", 100), strings.Repeat("a", 64) + "@example.test", strings.Repeat("0a", 100),
	} {
		for before := 150; before < 200; before++ {
			is.Equal(redact.Agent(strings.Repeat(" ", before)+secret+long), strings.Repeat(" ", before)+"…")
		}
		is.Equal(redact.Agent(strings.Repeat(" ", 200)+secret), strings.Repeat(" ", 200))
	}
	is.Equal(redact.Agent("lyc_"+strings.Repeat("0", 450)+" ada@example.test"), "…")
}
