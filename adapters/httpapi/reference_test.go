package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
)

// discard is a response writer that records the headers and the status, and discards the body.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

// Sending an uncompressed file of the page allocates far less memory than the 4 MiB of the library.
func TestReferenceFileAllocations(t *testing.T) {
	// In a bubble, the pauses between requests take no time.
	synctest.Test(t, testReferenceFileAllocations)
}

func testReferenceFileAllocations(t *testing.T) {
	a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
	page := a.get(t.Context(), "/docs").Body.String()
	path := regexp.MustCompile(`/docs/scalar-[0-9a-f]+\.js`).FindString(page)
	request := func(method string) int {
		w := &discard{header: http.Header{}}
		a.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody))
		return w.status
	}
	// HEAD is first, because it must not decompress the file.
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		is := is.New(t)
		if method == http.MethodGet {
			is.Equal(request(method), http.StatusOK) // decompresses the file once
		}
		const times = 50
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			is.Equal(request(method), http.StatusOK)
		}
		runtime.ReadMemStats(&after)
		is.True((after.TotalAlloc-before.TotalAlloc)/times < 100<<10) // bytes per request
	}
}
