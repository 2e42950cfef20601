package protocol

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// Scopes checks every route with a key of every scope.
func Scopes(t *testing.T, s *fixture.Server) {
	t.Run("the description names the scope of each operation", func(t *testing.T) {
		served := map[string]string{}
		wildcard := regexp.MustCompile(`:[a-z]+`)
		for _, r := range s.Routes {
			if r.Method != "HEAD" { // HEAD is the same operation as GET
				served[r.Method+" "+wildcard.ReplaceAllString(r.Path, "{}")] = r.Scope
			}
		}
		if diff := cmp.Diff(s.Contract.Scopes(), served); diff != "" {
			t.Errorf("x-required-scope (-) is not what is asked for (+):\n%s", diff)
		}
	})

	t.Run("only these paths need no key", func(t *testing.T) {
		is := is.New(t)
		var open []string
		for _, r := range s.Routes {
			if r.Scope == "" && r.Method == "GET" {
				open = append(open, r.Path)
			}
		}
		slices.Sort(open)
		is.Equal(open, []string{"/", "/docs", "/docs/:id", "/favicon.ico", "/favicon.svg", routes.DownloadPath, "/healthz", "/invitations/:id", "/openapi.json", "/readyz"})
	})

	keys := map[school.Scope]string{}
	for _, scope := range school.Scopes() {
		keys[scope] = s.NewKey(t, scope)
	}
	for _, r := range s.Routes {
		if r.Scope == "" {
			continue
		}
		needed, err := school.ParseScope(r.Scope)
		if err != nil {
			t.Fatal(err)
		}
		// The record does not exist and the body is not JSON, so that an allowed request changes
		// nothing. A forbidden request is rejected before the record is looked up.
		path := strings.ReplaceAll(r.Path, ":id", records.Unknown)
		for _, has := range school.Scopes() {
			t.Run(r.Method+" "+r.Path+" with "+has.String(), func(t *testing.T) {
				is := is.New(t)
				if path == routes.ExportPath && has.Includes(needed) {
					is.Equal(s.Fetch(t, r.Method, path, "X-Api-Key", keys[has]).Status, 200) // the response is not a document
					return
				}
				a := s.Request(r.Method, path).As(keys[has]).With("not JSON").Set("Content-Type", "text/plain").Send(t)
				if has.Includes(needed) {
					is.True(a.Status != 403)
					return
				}
				is.Equal(a.Status, 403)
				if r.Method != "HEAD" {
					is.Equal(a.Failures(t), []string{"403 " + fault.All(has.Check(needed))[0].Detail})
				}
			})
		}
	}

	t.Run("401 precedes 403, 403 precedes 404", func(t *testing.T) {
		is := is.New(t)
		path := "/v1/categories/" + records.Unknown
		is.Equal(s.Request("DELETE", path).As("").Send(t).Status, 401)
		is.Equal(s.Request("DELETE", path).As(keys[school.Read]).Send(t).Status, 403)
		is.Equal(s.Request("DELETE", path).As(keys[school.Write]).Send(t).Status, 404)
		is.Equal(s.Request("DELETE", "/v1/nothing").As(keys[school.Read]).Send(t).Status, 404)
		is.Equal(s.Request("DELETE", "/v1/categories").As(keys[school.Read]).Send(t).Status, 405)
		is.Equal(s.Request("OPTIONS", "/v1/categories").As(keys[school.Read]).Send(t).Status, 204)
	})

	t.Run("a rejected request changes nothing", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, "/v2/categories").Body
		is.Equal(s.Request("DELETE", "/v1/categories/"+records.Design).As(keys[school.Read]).Send(t).Status, 403)
		is.Equal(s.Request("POST", "/v1/categories").As(keys[school.Read]).
			With(`{"data":{"type":"categories","attributes":{"name":"New"}}}`).Send(t).Status, 403)
		is.Equal(s.Get(t, "/v2/categories").Body, before)
	})

	t.Run("an expired key is rejected immediately", func(t *testing.T) {
		is := is.New(t)
		end := s.Clock.Now().Add(2e9)
		_, secret, err := s.Provision.CreateKey(t.Context(), s.Own, school.KeyParams{Name: "short", Scope: school.Read, ExpiresAt: &end})
		is.NoErr(err)
		s.Clock.Advance(2e9 - 1e6)
		is.Equal(s.Request("GET", "/v1/categories").As(secret).Send(t).Status, 200)
		s.Clock.Advance(1e6)
		is.Equal(s.Request("GET", "/v1/categories").As(secret).Send(t).Body, unauthorized)
	})
}
