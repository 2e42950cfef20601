package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
)

// The time limit of a body starts when the server begins to read the body. A slow lookup of the
// key before that does not count.
func TestBodyTimeStartsWithReading(t *testing.T) {
	const limit = time.Second
	is := is.New(t)
	a := newAPI(t, httpapi.Config{BodyTime: limit}, always)
	a.takes.Store(int64(limit * 3 / 2))
	server := httptest.NewUnstartedServer(a.handler)
	server.Config.ReadTimeout = limit
	server.Start()
	defer server.Close()
	// The body is longer than what the server reads together with the headers.
	body := `{"data":{"type":"categories","attributes":{"name":"Late"}}` + strings.Repeat(" ", 100_000) + "}"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/categories", strings.NewReader(body))
	is.NoErr(err)
	r.Header.Set("X-Api-Key", a.key)
	got, err := server.Client().Do(r)
	is.NoErr(err)
	is.NoErr(got.Body.Close())
	is.Equal(got.StatusCode, http.StatusCreated)
}
