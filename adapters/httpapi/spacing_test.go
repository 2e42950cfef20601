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
	"lyceum/test/kit"
)

// While another school is active, the pause after a request grows with its cost.
func TestExpensiveRequestsAreSpaced(t *testing.T) {
	tests := map[string]struct {
		method, path, body string
		waits              bool
	}{
		"small pages":       {http.MethodGet, "/v1/coupons?limit=30", "", false},
		"large pages":       {http.MethodGet, "/v1/coupons?limit=1000", "", true},
		"a limit of a POST": {http.MethodPost, "/v1/categories?limit=1000", "{}", false},
		"long queries":      {http.MethodGet, "/v1/coupons?x=" + strings.Repeat("x", 100<<10), "", true},
		"many parameters":   {http.MethodGet, "/v1/coupons?" + strings.Repeat("x=123&", 20_000), "", true},
		"large bodies":      {http.MethodPost, "/v1/categories", strings.Repeat(" ", 900<<10), true},
		"small bodies":      {http.MethodPost, "/v1/categories", strings.Repeat(" ", 60<<10), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{}, always)
				_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
				is.NoErr(err)
				took := func() time.Duration {
					begin := time.Now()
					// Each processor starts weight ten at once, then weight one per millisecond.
					for range 1 + limiter.Processors() {
						r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, strings.NewReader(tt.body))
						r.Header.Set("X-Api-Key", a.key)
						is.True(a.serve(r).Code < 500)
					}
					return time.Since(begin)
				}
				// A query with many parameters is always spaced, because it is refused before the
				// key is read.
				if name != "many parameters" {
					is.Equal(took(), time.Duration(0)) // no pause while no other school is active
				}
				is.Equal(a.from(client, other, http.MethodGet, "/v1/coupons").Code, http.StatusOK)
				is.Equal(took() >= 5*time.Millisecond, tt.waits)
				begin := time.Now()
				is.Equal(a.from(client, a.secondKey, http.MethodGet, "/v1/coupons").Code, http.StatusOK)
				is.Equal(time.Since(begin), time.Duration(0)) // each key waits for its own requests
			})
		})
	}
}
