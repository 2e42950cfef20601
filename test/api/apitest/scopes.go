package apitest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// scopes checks every route with a key of every scope.
func scopes(t *testing.T, s *server) {
	t.Run("the description names the scope of each operation", func(t *testing.T) {
		served := map[string]string{}
		wildcard := regexp.MustCompile(`:[a-z]+`)
		for _, r := range s.routes {
			if r.Method != "HEAD" { // HEAD is the same operation as GET
				served[r.Method+" "+wildcard.ReplaceAllString(r.Path, "{}")] = r.Scope
			}
		}
		if diff := cmp.Diff(s.contract.Scopes(), served); diff != "" {
			t.Errorf("x-required-scope (-) is not what is asked for (+):\n%s", diff)
		}
	})

	t.Run("only these paths need no key", func(t *testing.T) {
		is := is.New(t)
		var open []string
		for _, r := range s.routes {
			if r.Scope == "" && r.Method == "GET" {
				open = append(open, r.Path)
			}
		}
		slices.Sort(open)
		is.Equal(open, []string{"/", "/docs", "/docs/:id", "/favicon.ico", "/favicon.svg", downloadPath, "/healthz", "/invitations/:id", "/openapi.json", "/readyz"})
	})

	keys := map[school.Scope]string{}
	for _, scope := range school.Scopes() {
		keys[scope] = s.newKey(t, scope)
	}
	for _, r := range s.routes {
		if r.Scope == "" {
			continue
		}
		needed, err := school.ParseScope(r.Scope)
		if err != nil {
			t.Fatal(err)
		}
		// The record does not exist and the body is not JSON, so that an allowed request changes
		// nothing. A forbidden request is rejected before the record is looked up.
		path := strings.ReplaceAll(r.Path, ":id", unknown)
		for _, has := range school.Scopes() {
			t.Run(r.Method+" "+r.Path+" with "+has.String(), func(t *testing.T) {
				is := is.New(t)
				if path == exportPath && has.Includes(needed) {
					is.Equal(s.fetch(t, r.Method, path, "X-Api-Key", keys[has]).status, 200) // the response is not a document
					return
				}
				a := s.request(r.Method, path).as(keys[has]).with("not JSON").set("Content-Type", "text/plain").send(t)
				if has.Includes(needed) {
					is.True(a.status != 403)
					return
				}
				is.Equal(a.status, 403)
				if r.Method != "HEAD" {
					is.Equal(a.failures(t), []string{"403 " + fault.All(has.Check(needed))[0].Detail})
				}
			})
		}
	}

	t.Run("401 precedes 403, 403 precedes 404", func(t *testing.T) {
		is := is.New(t)
		path := "/v1/categories/" + unknown
		is.Equal(s.request("DELETE", path).as("").send(t).status, 401)
		is.Equal(s.request("DELETE", path).as(keys[school.Read]).send(t).status, 403)
		is.Equal(s.request("DELETE", path).as(keys[school.Write]).send(t).status, 404)
		is.Equal(s.request("DELETE", "/v1/nothing").as(keys[school.Read]).send(t).status, 404)
		is.Equal(s.request("DELETE", "/v1/categories").as(keys[school.Read]).send(t).status, 405)
		is.Equal(s.request("OPTIONS", "/v1/categories").as(keys[school.Read]).send(t).status, 204)
	})

	t.Run("a rejected request changes nothing", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, "/v2/categories").body
		is.Equal(s.request("DELETE", "/v1/categories/"+design).as(keys[school.Read]).send(t).status, 403)
		is.Equal(s.request("POST", "/v1/categories").as(keys[school.Read]).
			with(`{"data":{"type":"categories","attributes":{"name":"New"}}}`).send(t).status, 403)
		is.Equal(s.get(t, "/v2/categories").body, before)
	})

	t.Run("an expired key is rejected immediately", func(t *testing.T) {
		is := is.New(t)
		end := s.clock.Now().Add(2e9)
		_, secret, err := s.provision.CreateKey(t.Context(), s.own, school.KeyParams{Name: "short", Scope: school.Read, ExpiresAt: &end})
		is.NoErr(err)
		s.clock.Advance(2e9 - 1e6)
		is.Equal(s.request("GET", "/v1/categories").as(secret).send(t).status, 200)
		s.clock.Advance(1e6)
		is.Equal(s.request("GET", "/v1/categories").as(secret).send(t).body, unauthorized)
	})
}

// newKey creates an API key of the server's own school and returns its secret.
func (s *server) newKey(t *testing.T, scope school.Scope) string {
	t.Helper()
	_, secret, err := s.provision.CreateKey(t.Context(), s.own, school.KeyParams{Name: scope.String(), Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
