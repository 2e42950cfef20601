package lists

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	links "lyceum/test/tools/crawl"
)

// LinkTraversal checks that following the links of a list, in pages of a few rows, returns the same
// rows as a single page, each exactly once.
func LinkTraversal(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	few, all := links.Walker{URL: s.URL, Key: s.Key, Limit: 2, Sample: 3}, links.Walker{URL: s.URL, Key: s.Key, Limit: 1000}
	paths, err := few.Lists(t.Context())
	is.NoErr(err)
	is.True(len(paths) > 20)
	rows := 0
	for _, path := range paths {
		whole, err := all.Read(t.Context(), path)
		is.NoErr(err)
		is.Equal(whole.Pages, 1)
		read, err := few.Read(t.Context(), path)
		is.NoErr(err)
		if wrong := read.Problem(whole.Rows); wrong != "" {
			t.Errorf("%s: %s", path, wrong)
		}
		rows += read.Rows
	}
	is.True(rows > 50)
}
