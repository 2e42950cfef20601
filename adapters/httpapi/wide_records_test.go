package httpapi_test

import (
	"fmt"
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

// wideSchool returns the export lines of a school whose people have properties of size bytes each,
// rounded up to whole properties.
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

// While another school is active, the pause after a page also grows with the size of its records.
func TestPagesOfWideRecordsAreSpaced(t *testing.T) {
	for name, tt := range map[string]struct {
		size  int // size of a person in bytes
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
					// Each processor starts weight ten at once, then weight one per millisecond.
					for range 1 + limiter.Processors() {
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
				is.Equal(took(), time.Duration(0)) // no pause while no other school is active
				is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
				is.Equal(took() >= 5*time.Millisecond, tt.waits)
			})
		})
	}
}

// The same is true of the response to a change.
func TestChangesOfWideRecordsAreSpaced(t *testing.T) {
	for size, waits := range map[int]bool{100: false, 16_000: true} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{}, always)
				_, key, err := kit.School{Name: "Wide", Lines: wideSchool(1, size)}.Import(t.Context(), a.app)
				is.NoErr(err)
				is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK) // another school is active
				values := make([]string, (size+999)/1000)
				for i := range values {
					values[i] = fmt.Sprintf(`"p%d":%q`, i, strings.Repeat("x", 1000))
				}
				begin := time.Now()
				for i := range 10 * limiter.Processors() {
					body := fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":"new%d@example.test","properties":{%s}}}}`, i, strings.Join(values, ","))
					r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/people", strings.NewReader(body))
					r.Header.Set("X-Api-Key", key)
					w := httptest.NewRecorder()
					a.handler.ServeHTTP(w, r)
					is.Equal(w.Code, http.StatusCreated)
				}
				is.Equal(time.Since(begin) >= 5*time.Millisecond, waits)
			})
		})
	}
}
