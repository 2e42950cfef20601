package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/intercept"
)

// The server reads each included type once for each relationship of a path. A response includes at
// most 2,000 resources.
func TestIncludeIsBounded(t *testing.T) {
	is := is.New(t)
	var mu sync.Mutex
	var calls []string
	record := func(_ context.Context, call string) error {
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, call)
		return nil
	}
	store := memory.New()
	a := app.New(intercept.Store(store, record), store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), fake.NewClock(fake.Start), fake.NewIDs())
	made, key, err := kit.School{Name: "School"}.Import(t.Context(), a)
	is.NoErr(err)
	actor := usecase.SystemActor(made)
	for i := range 9 {
		var of []category.ID
		for j := range 250 {
			c, err := a.Categories.Create(t.Context(), actor, fmt.Sprintf("%d-%d", i, j))
			is.NoErr(err)
			of = append(of, c.ID)
		}
		name := fmt.Sprint("Course ", i)
		_, err := a.Courses.Create(t.Context(), actor, app.CourseChanges{Changes: course.Changes{Name: &name}, Categories: &of})
		is.NoErr(err)
	}
	handler := httpapi.New(a, httpapi.Config{}, slog.New(slog.DiscardHandler))
	get := func(path string) *httptest.ResponseRecorder {
		calls = nil
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		calls = slices.DeleteFunc(calls, func(call string) bool { return call == "Reader.School.Get" })
		return w
	}

	w := get("/v2/courses?limit=8&include=categories,instructor_partnerships.person")
	is.Equal(w.Code, http.StatusOK)
	var document struct{ Included []any }
	is.NoErr(json.Unmarshal(w.Body.Bytes(), &document))
	is.Equal(len(document.Included), 2000)
	is.Equal(calls, []string{"Reader.Courses.List", "Reader.Categories.List"}) // one call for the page, one for the included type

	w = get("/v2/courses?limit=9&include=categories")
	is.Equal(w.Code, http.StatusBadRequest)
	is.Equal(calls, []string{"Reader.Courses.List"}) // no call for the included type
}

// The server refuses an unknown path below the record of a change without work for each type of record.
func TestUnknownPathsBelowRecordCostLittle(t *testing.T) {
	is := is.New(t)
	store := memory.New()
	a := apiOn(t, store, store.Schools(), store.Queue())
	_, key, err := kit.School{Name: "School"}.Import(t.Context(), a.app)
	is.NoErr(err)
	allocations := func(include string) float64 {
		return testing.AllocsPerRun(5, func() {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v2/changes?limit=1&include="+include, http.NoBody)
			r.Header.Set("X-Api-Key", key)
			w := httptest.NewRecorder()
			a.handler.ServeHTTP(w, r)
			is.Equal(w.Code, http.StatusBadRequest)
		})
	}
	one, many := allocations("record.a"), allocations("record.a,record.b,record.c,record.d,record.e,record.f")
	is.True(many-one < 5*60) // a path with an error of its own
}
