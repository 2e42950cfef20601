package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/test/kit"
)

// wideSchool returns the lines of a school whose people have texts of the given total size.
func wideSchool(people, size int) string {
	const longest = 1000
	var lines strings.Builder
	values := []string{}
	for i := range (size + longest - 1) / longest {
		_, _ = fmt.Fprintf(&lines, `{"kind":"property","resource":"people","name":"p%d","type":"text"}`+"\n", i)
		values = append(values, fmt.Sprintf(`"p%d":%q`, i, strings.Repeat("x", longest)))
	}
	for i := range people {
		_, _ = fmt.Fprintf(&lines, `{"kind":"person","email":"p%d@example.test","properties":{%s}}`+"\n", i, strings.Join(values, ","))
	}
	return lines.String()
}

// While another school is active, a page counts by the size of its records too.
func TestPagesOfWideRecordsAreSpaced(t *testing.T) {
	for name, tt := range map[string]struct {
		size  int // bytes of a person
		tag   bool
		waits bool
	}{
		"small records":                    {100, false, false},
		"wide records":                     {10_000, false, true},
		"wide records that the client has": {10_000, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{}, always)
				_, key, err := kit.School{Name: "Wide", Lines: wideSchool(30, tt.size)}.Import(t.Context(), a.app)
				is.NoErr(err)
				tag := ""
				took := func() time.Duration {
					begin := time.Now()
					for range 1 + runtime.GOMAXPROCS(0) { // per processor, ten at once, then one each millisecond
						r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v2/people", http.NoBody)
						r.Header.Set("X-Api-Key", key)
						r.Header.Set("If-None-Match", tag)
						w := httptest.NewRecorder()
						a.handler.ServeHTTP(w, r)
						is.True(w.Code < http.StatusBadRequest)
						if tt.tag {
							tag = w.Header().Get("ETag")
						}
					}
					return time.Since(begin)
				}
				is.Equal(took(), time.Duration(0)) // while no other school is active
				is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
				is.Equal(took() >= 5*time.Millisecond, tt.waits)
			})
		})
	}
}
