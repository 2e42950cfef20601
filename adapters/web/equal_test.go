package web_test

import (
	"regexp"
	"strings"
	"testing"

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
	stores.Same(t, 100, func(t *testing.T, open stores.Opener) map[string]string {
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
		return seen
	})
}
