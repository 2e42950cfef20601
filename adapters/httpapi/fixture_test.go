package httpapi_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/fake"
)

// api is the API on a store whose lists of categories do what a test says.
type api struct {
	handler http.Handler
	key     string
	school  string
	log     *bytes.Buffer
}

// newAPI returns an API in which every list of categories, and every question
// whether the store is ready, ends with what list returns.
func newAPI(t *testing.T, cfg httpapi.Config, list func(ctx context.Context) error) *api {
	t.Helper()
	store := memory.New()
	a := app.New(moody{Store: store, list: list}, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInviter(), fake.NewClock(fake.Start), fake.NewIDs())
	made, secrets, err := a.Provision.Load(t.Context(), app.Blueprint{
		School: app.SchoolPlan{Name: "School"}, Keys: []app.KeyPlan{{Name: "tests"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	return &api{
		handler: httpapi.New(a, cfg, slog.New(slog.NewTextHandler(log, nil))),
		key:     secrets[0], school: made.ID.String(), log: log,
	}
}

// get asks for path with the key.
func (a *api) get(ctx context.Context, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, strings.NewReader(""))
	r.Header.Set("X-Api-Key", a.key)
	return a.serve(r)
}

func (a *api) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	return w
}

// moody is a store whose lists of categories end with what list returns.
type moody struct {
	ports.Store
	list func(ctx context.Context) error
}

func (m moody) Read(s school.ID) ports.Reader {
	r := m.Store.Read(s)
	r.Categories = moodyCategories{CategoryReader: r.Categories, list: m.list}
	return r
}

func (m moody) Ready(ctx context.Context) error { return m.list(ctx) }

type moodyCategories struct {
	ports.CategoryReader
	list func(ctx context.Context) error
}

func (m moodyCategories) List(ctx context.Context, q query.Query) (query.Result[category.State], error) {
	if err := m.list(ctx); err != nil {
		return query.Result[category.State]{}, err
	}
	return m.CategoryReader.List(ctx, q)
}
