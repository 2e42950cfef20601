package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/matryer/is"
)

// A path that needs no key is not for that reason answered over any way.
func TestOnlyTheHealthPathsAreAnsweredOverAnyWay(t *testing.T) {
	s := &server{
		links: Links{Base: "https://a.test", Download: "https://a.test/files"},
		cfg:   Config{Transport: func(*http.Request) (bool, bool) { return false, false }},
	}
	tests := map[string]struct{ keyless, answered bool }{
		"/healthz": {true, true}, "/readyz": {true, true},
		"/files/submissions/1/a.txt": {true, false}, "/files": {}, "/files/a": {}, "/v1/people": {},
		"/files/submissions/1": {}, "/files/submissions/1/a/b": {}, "/files/submissions//a": {},
	}
	for path, want := range tests {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			c := &gin.Context{Request: httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)}
			is.Equal(!s.needsKey(c), want.keyless)
			is.Equal(s.checkTransport(c) == nil, want.answered)
		})
	}
}
