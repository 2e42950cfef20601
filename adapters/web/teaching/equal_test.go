package teaching_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"lyceum/test/kit/stores"
)

// Every page that can be read has the same text on both stores.
func TestPagesAreTheSameOnBothStores(t *testing.T) {
	is := is.New(t)
	var (
		mu    sync.Mutex
		pages []map[string]string // of each store
	)
	visit := func(t *testing.T, open stores.Opener) {
		s := newServer(t, open)
		names, seen := s.records(t), map[string]string{}
		for _, role := range slices.Sorted(maps.Keys(people)) {
			b := s.as(t, people[role])
			for _, r := range requests {
				// A store decides in which order the records of an import are in the audit trail.
				if !strings.HasPrefix(r.pattern, "GET") || r.path == "/audit" {
					continue
				}
				p := b.get(names.Replace(r.path))
				seen[role+" "+r.path] = strings.ReplaceAll(p.body, s.origin, "https://origin.test")
			}
		}
		mu.Lock()
		defer mu.Unlock()
		pages = append(pages, seen)
	}
	t.Run("visit", func(t *testing.T) { stores.Each(t, visit) }) // Each runs the stores in parallel
	is.Equal(len(pages), 2)
	is.True(len(pages[0]) > 100)
	for path, body := range pages[0] {
		if d := cmp.Diff(strings.Split(body, "\n"), strings.Split(pages[1][path], "\n")); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
}
