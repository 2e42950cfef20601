package httpapi_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/school"
	"lyceum/test/api/contract"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/intercept"
)

// api is an API on a store in which lists of categories can return an error of the test.
type api struct {
	t       *testing.T
	handler *httpapi.API
	app     *app.App
	clock   *fake.Clock
	lookups *atomic.Int64 // number of key lookups in the store
	takes   *atomic.Int64 // duration of a lookup, in nanoseconds

	key, secondKey string
	school         string
	log            *bytes.Buffer
}

// newAPI returns an API in which every list of categories, and every readiness check of the store,
// calls list first and returns its error.
func newAPI(t *testing.T, cfg httpapi.Config, list func(ctx context.Context) error) *api {
	t.Helper()
	return newHookedAPI(t, cfg, func(ctx context.Context, call string) error {
		if call == "Reader.Categories.List" || call == "Ready" {
			return list(ctx)
		}
		return nil
	})
}

// newHookedAPI returns an API that calls h before every call of its store.
func newHookedAPI(t *testing.T, cfg httpapi.Config, h intercept.Hook) *api {
	t.Helper()
	store := memory.New()
	clock, lookups, takes := fake.NewClock(fake.Start), new(atomic.Int64), new(atomic.Int64)
	schools := intercept.Schools(store.Schools(), func(_ context.Context, call string) error {
		if call == "Schools.KeyByHash" {
			lookups.Add(1)
			time.Sleep(time.Duration(takes.Load()))
		}
		return nil
	})
	a := app.New(intercept.Store(store, h), schools, store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock, fake.NewIDs())
	made, key, err := kit.School{Name: "School"}.Import(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := a.Provision.CreateKey(t.Context(), made, school.KeyParams{Name: "more tests", Scope: school.Admin})
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	return &api{
		t: t, handler: httpapi.New(a, cfg, slog.New(slog.NewTextHandler(log, nil))),
		app: a, clock: clock, lookups: lookups, takes: takes,
		key: key, secondKey: second, school: made.String(), log: log,
	}
}

// get sends a GET request with the API key.
func (a *api) get(ctx context.Context, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, strings.NewReader(""))
	r.Header.Set("X-Api-Key", a.key)
	return a.serve(r)
}

// serve calls the API and checks that an error response conforms to the OpenAPI document. The suite
// in test/api/apitest cannot check all of them, because it causes neither defects nor outages. A
// client that has disconnected gets no response, so nothing is checked.
func (a *api) serve(r *http.Request) *httptest.ResponseRecorder {
	a.t.Helper()
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	described, err := contract.Description()
	if err != nil {
		a.t.Fatal(err)
	}
	problems := described.Problems(contract.Response{
		Method: r.Method, Path: r.URL.EscapedPath(), Status: w.Code, Header: w.Header(), Body: w.Body.Bytes(),
	})
	if problems != nil && w.Code >= 400 && r.Context().Err() == nil {
		a.t.Errorf("%s %s is not as described: %s\n%s", r.Method, r.URL.Path, strings.Join(problems, "; "), w.Body)
	}
	return w
}

// schoolWithAssignment returns a school with a learner and an assignment of their course, which have
// the given IDs.
func schoolWithAssignment(person, assignment string) kit.School {
	return kit.School{Name: "Acme", Lines: `
		{"kind": "person", "email": "ada@example.test", "activated_at": "2026-01-02T15:04:05Z", "id": "` + person + `"}
		{"kind": "assignment", "title": "A drawing", "id": "` + assignment + `"}
		{"kind": "course", "permalink": "drawing", "name": "Drawing"}
		{"kind": "activity", "course": "drawing", "title": "Draw", "type": "assignment", "assignment": "A drawing"}
		{"kind": "enrollment", "course": "drawing", "person": "ada@example.test", "role": "learner"}`}
}
