package middleware

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/redact"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestPlainPathLimitsMemory(t *testing.T) {
	is := is.New(t)
	path := strings.Repeat("/%61", 15_000)
	is.True(allocated(func() { plainPath(path) }) < 2<<20)
}

// A path that is longer than the path of any route matches no route and costs little.
func TestOverlongPaths(t *testing.T) {
	tests := map[string]struct{ path, want string }{
		"a long name":              {"/v1/" + strings.Repeat("a", maxPath-4), "/v1/" + strings.Repeat("a", maxPath-4)},
		"a longer name":            {"/v1/" + strings.Repeat("a", maxPath-3), overlongPath},
		"escaped":                  {strings.Repeat("/%2F", 60_000/4), overlongPath},
		"doubled slashes":          {strings.Repeat("/", maxSlashes-1) + "/v1", "/v1"},
		"too many doubled slashes": {strings.Repeat("/", maxSlashes) + "/v1", overlongPath},
		"very many segments":       {strings.Repeat("/a", 30_000), overlongPath},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			sent, err := url.Parse("http://a.test" + tt.path)
			is.NoErr(err)
			var got string
			h := PlainPaths(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.URL.EscapedPath() }))
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
			r.URL = sent
			is.True(allocated(func() { h.ServeHTTP(nil, r) }) < 64<<10)
			want, err := url.Parse(tt.want)
			is.NoErr(err)
			is.Equal(got, want.EscapedPath())
		})
	}
}

func TestLogCutsPaths(t *testing.T) {
	for _, segment := range []string{"x", "v2"} {
		for _, n := range []int{3, 60, 30_000} {
			is := is.New(t)
			path := redact.Path(map[string]bool{"v2": true}, "", strings.Repeat("/"+segment, n))
			is.True(len(path) <= 520)                                                // 512 bytes and the ellipsis
			is.True(strings.HasSuffix(path, "/…") || strings.HasSuffix(path, "/v2")) // ends with a whole segment
			is.Equal(strings.Count(path, "/") == n, n < 128)
		}
	}
}
