package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
)

// recordingStore records the last query of a list of people.
type recordingStore struct {
	ports.Store
	last *query.Query
}

func (s recordingStore) Read(id school.ID) ports.Reader {
	r := s.Store.Read(id)
	r.People = recordingPeople{r.People, s.last}
	return r
}

type recordingPeople struct {
	ports.PersonReader
	last *query.Query
}

func (p recordingPeople) ListAudience(ctx context.Context, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	*p.last = q
	return p.PersonReader.ListAudience(ctx, in, q)
}

// Properties may be large, so a list reads them only if the response or its cursors need them.
func TestPropertiesAreReadOnlyIfShown(t *testing.T) {
	var last query.Query
	store := memory.New()
	a := apiOn(t, recordingStore{store, &last}, store.Schools(), store.Queue())
	_, key, err := kit.School{Name: "Wide", Lines: `{"kind":"property","resource":"people","name":"p0","type":"text","filterable":true}`}.Import(t.Context(), a.app)
	is.New(t).NoErr(err)
	for path, read := range map[string]bool{
		"/v2/people": true,
		"/v2/people?fields[people]=name,properties":         true,
		"/v2/people?fields[people]=name":                    false,
		"/v2/people?fields[people]=name&sort=properties.p0": true,
		"/v1/people":   false,
		"/v1/learners": false,
	} {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
			r.Header.Set("X-Api-Key", key)
			w := httptest.NewRecorder()
			a.handler.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				t.Fatal(w.Body)
			}
			is.Equal(!last.WithoutProperties, read)
		})
	}
}
