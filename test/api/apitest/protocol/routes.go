package protocol

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// Routes checks that routes.All lists exactly the routes of the server, apart from downloads and
// the export. Tests that iterate over it thus cover all other routes.
func Routes(t *testing.T, s *fixture.Server) {
	routed, listed := map[string][]string{}, map[string][]string{}
	for _, r := range s.Routes {
		if r.Path == routes.DownloadPath || r.Path == routes.ExportPath {
			continue
		}
		routed[r.Path] = append(routed[r.Path], r.Method)
	}
	for _, methods := range routed {
		slices.Sort(methods)
	}
	for _, r := range routes.All {
		listed[r.Path] = slices.Sorted(slices.Values(r.AllowedMethods()))
	}
	if diff := cmp.Diff(listed, routed); diff != "" {
		t.Errorf("routes.All (-) is not the routes (+):\n%s", diff)
	}
}
