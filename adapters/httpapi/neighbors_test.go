package httpapi_test

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/test/kit"
)

// Any request makes its school active for all classes: after a cheap request of one school, another
// school has fewer slots for large pages.
func TestAnyRequestMakesSchoolActive(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	for name, tt := range map[string]struct {
		other string // path of a request of another school; blank: none
		want  int    // concurrent large pages
	}{
		"none":            {"", max(1, 2*processors*3/4)},
		"a cheap request": {"/v1/coupons", max(1, processors/2)},
		"a refusal":       {"/v1/coupons?limit=x", max(1, processors/2)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				end := make(chan struct{})
				a := newAPI(t, httpapi.Config{}, func(context.Context) error {
					<-end
					return nil
				})
				_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
				is.NoErr(err)
				if tt.other != "" {
					a.from(client, other, http.MethodGet, tt.other)
				}
				time.Sleep(4 * time.Minute)
				var wg sync.WaitGroup
				for range 2 * processors {
					wg.Go(func() { a.get(t.Context(), "/v1/categories?limit=101") })
				}
				synctest.Wait()
				running := a.handler.Admission()["large"].Running
				close(end)
				wg.Wait()
				is.Equal(running, tt.want)
			})
		})
	}
}
