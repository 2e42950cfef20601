package web_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

var linked = regexp.MustCompile(`href="` + web.Prefix + "/" + demo.Slug + `([^"#]*)"`)

// Every page to which links lead has the same text on both stores, for each of ten learners.
func TestPagesAreTheSameOnBothStores(t *testing.T) {
	is := is.New(t)
	var (
		mu    sync.Mutex
		pages []map[string]string // of each store
	)
	crawl := func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		everyone, err := a.People.List(t.Context(), app.SystemActor(demo.SchoolID), query.Query{Page: query.NewPage(1, 10)})
		is.NoErr(err)
		seen := map[string]string{}
		for _, p := range everyone.Items {
			b := a.signedIn(t, p.Email)
			for queue := []string{"/courses"}; len(queue) > 0; queue = queue[1:] {
				name := p.Email + " " + queue[0]
				if _, visited := seen[name]; visited {
					continue
				}
				body := b.get(queue[0]).body
				seen[name] = strings.ReplaceAll(body, strings.TrimSuffix(a.root, web.Prefix), "https://origin.test")
				for _, found := range linked.FindAllStringSubmatch(body, -1) {
					queue = append(queue, found[1])
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		pages = append(pages, seen)
	}
	t.Run("crawl", func(t *testing.T) { stores.Each(t, crawl) }) // Each runs the stores in parallel
	is.Equal(len(pages), 2)
	is.True(len(pages[0]) > 100)
	is.Equal(cmp.Diff(slices.Sorted(maps.Keys(pages[0])), slices.Sorted(maps.Keys(pages[1]))), "")
	for path, body := range pages[0] {
		if d := cmp.Diff(strings.Split(body, "\n"), strings.Split(pages[1][path], "\n")); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
}
