package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/limiter"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// rendering is an academy of a school that renders its only page until end is closed.
type rendering struct {
	of      school.ID
	visitor person.ID // zero: not signed in
	end     chan struct{}
	*httpapi.API
}

func (x *rendering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var err error
	if x.visitor != (person.ID{}) {
		err = x.AdmitVisitor(r.Context(), x.of, x.visitor)
	}
	if err == nil {
		var end func()
		if end, err = x.BeginRendering(r.Context(), x.of); err == nil {
			<-x.end
			end()
		}
	}
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// visit requests the page.
func (x *rendering) visit(t *testing.T) int {
	w := httptest.NewRecorder()
	x.API.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/learn/school/outline/greek/cover", http.NoBody))
	return w.Code
}

// newRendering returns an academy without an API, for visitors who are signed in or not.
func newRendering(signedIn bool) *rendering {
	x := &rendering{of: school.ID{UUID: uuid.UUID{2}}, end: make(chan struct{})}
	if signedIn {
		x.visitor.UUID = uuid.UUID{1}
	}
	return x
}

// The rendering of a page counts once as a request of its school, whether or not the visitor is signed
// in: pages without a key would otherwise use processors next to the requests of the school.
func TestRenderingCountsAsRequestOfTheSchool(t *testing.T) {
	for name, signedIn := range map[string]bool{"signed in": true, "not signed in": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				x := newRendering(signedIn)
				x.API = newAPI(t, httpapi.Config{Academy: x, Links: httpapi.Links{Base: "https://a.test"}}, always).handler
				go x.visit(t)
				synctest.Wait()
				for _, lane := range []string{"page", "school", "yielding", "rendering"} {
					is.Equal(x.Admission()[lane].Running, 1) // slots of this lane
				}
				close(x.end)
				synctest.Wait()
				for _, stats := range x.Admission() {
					is.Equal(stats.Running, 0)
				}
			})
		})
	}
}

// A rendered page of a visitor who is signed in makes the school active; pages of other visitors do not.
func TestPagesMakeSchoolActive(t *testing.T) {
	processors := limiter.Processors()
	for name, tt := range map[string]struct {
		signedIn bool
		want     int // concurrent large pages of another school
	}{
		"signed in":     {true, max(1, processors/2)},
		"not signed in": {false, max(1, 2*processors*3/4)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				x := newRendering(tt.signedIn)
				a, end := newBlocked(t, httpapi.Config{Academy: x, Links: httpapi.Links{Base: "https://a.test"}})
				x.API = a.handler
				close(x.end)
				is.Equal(x.visit(t), http.StatusOK)
				is.Equal(a.largePages(t, end), tt.want)
			})
		})
	}
}
