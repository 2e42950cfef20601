package protocol

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
)

// Description checks that the server describes all it serves and nothing else. HEAD is served
// without a description wherever GET is described. PUT is served wherever PATCH is.
func Description(t *testing.T, s *fixture.Server) {
	t.Run("every route is described", func(t *testing.T) {
		var served []string
		wildcard := regexp.MustCompile(`:[a-z]+`)
		for _, r := range s.Routes {
			served = append(served, r.Method+" "+wildcard.ReplaceAllString(r.Path, "{}"))
		}
		has := func(operation string) bool { return slices.Contains(served, operation) }
		for _, operation := range served {
			method, path, _ := strings.Cut(operation, " ")
			switch method {
			case "HEAD":
				if !has("GET " + path) {
					t.Errorf("%s is described without GET", operation)
				}
			case "GET":
				if !has("HEAD " + path) {
					t.Errorf("%s is described without HEAD", operation)
				}
			case "PATCH":
				if !has("PUT " + path) {
					t.Errorf("%s is described without PUT", operation)
				}
			}
		}
		served = slices.DeleteFunc(served, func(operation string) bool {
			return strings.HasPrefix(operation, "HEAD ")
		})
		slices.Sort(served)
		if diff := cmp.Diff(s.Contract.Operations(), slices.Compact(served)); diff != "" {
			t.Errorf("described (-) is not what is served (+):\n%s", diff)
		}
	})

	t.Run("filterable attributes", func(t *testing.T) { filterable(t, s) })

	t.Run("the document is published", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("GET", "/openapi.json").As("").Send(t)
		is.Equal(a.Status, 200)
		is.Equal(s.Request("GET", "/openapi.json").As("").Set("If-None-Match", a.Header.Get("ETag")).Send(t).Status, 304)
		var document struct {
			OpenAPI string
			Servers []struct{ URL string }
		}
		is.NoErr(json.Unmarshal([]byte(a.Body), &document))
		is.Equal(document.OpenAPI, "3.1.0")
		is.Equal(document.Servers[0].URL, "/lyceum/") // only the path of the base URL, so that a browser stays on this server
	})
}
