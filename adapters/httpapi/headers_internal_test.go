package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/matryer/is"
)

// A path that needs no key is not for that reason answered over any way.
func TestOnlyTheHealthPathsAreAnsweredOverAnyWay(t *testing.T) {
	was := keyless
	keyless = append(slices.Clone(was), "/open")
	t.Cleanup(func() { keyless = was })
	s := &server{cfg: Config{Transport: func(*http.Request) (bool, bool) { return false, false }}}
	for path, answered := range map[string]bool{"/healthz": true, "/readyz": true, "/open": false, "/v1/people": false} {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			c := &gin.Context{Request: httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)}
			is.Equal(s.checkTransport(c) == nil, answered)
		})
	}
}
