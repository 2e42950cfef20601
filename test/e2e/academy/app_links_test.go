package academy_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/adapters/web/teaching"
	"lyceum/cmd/server"
)

// TestAppLinksLeadToPages checks that every link to the teaching app in an API document leads to a
// page. Visitors who are not signed in get the sign-in page, which returns to the link.
func TestAppLinksLeadToPages(t *testing.T) {
	is := is.New(t)
	cfg := server.Defaults()
	cfg.DemoKey, cfg.DemoSlug = demo.Key, demo.Slug
	cfg.Demo = []web.DemoPerson{{School: demo.SchoolID, Role: "owner", Email: "eleanor.hartley@example.test"}}
	base := serveWith(t, cfg)
	app, academy := base+teaching.Prefix+"/"+demo.Slug, base+web.Prefix+"/"+demo.Slug
	leads := regexp.MustCompile(`"(` + regexp.QuoteMeta(app) + `/[^"]+)"`)
	var links []string
	for _, list := range []string{
		"/v1/courses", "/v2/courses", "/v1/groups", "/v2/groups", "/v1/people", "/v2/people", "/v1/learners", "/v1/coupons", "/v2/coupons",
		"/v2/quizzes", "/v2/assignments", "/v2/activities", "/v2/partnerships", "/v2/school",
	} {
		_, _, body := open(t, http.DefaultClient, http.MethodGet, base+list+"?limit=1000", http.Header{"X-Api-Key": {demo.Key}}, "")
		for _, found := range leads.FindAllStringSubmatch(body, -1) {
			links = append(links, found[1])
		}
	}
	slices.Sort(links)
	links = slices.Compact(links)
	kinds := map[string]bool{}
	for _, link := range links {
		kinds[regexp.MustCompile(`^/([a-z]+)/[^/]+(/builder)?$`).ReplaceAllString(strings.TrimPrefix(link, app), "$1$2")] = true
	}
	is.Equal(len(kinds), 7) // people, courses, courses/builder, groups, coupons, assignments, quizzes/builder

	stranger, owner := newBrowser(t), newBrowser(t)
	_, at, _ := open(t, owner, http.MethodPost, academy+"/demo", form, "role=owner")
	is.Equal(at.String(), app)
	for _, link := range links {
		status, at, _ := open(t, stranger, http.MethodGet, link, nil, "")
		is.Equal(status, http.StatusOK)
		is.Equal(at.String(), academy+"/sign-in?return="+url.QueryEscape("/app"+strings.TrimPrefix(link, app)))
		status, at, body := open(t, owner, http.MethodGet, link, nil, "")
		is.Equal(status, http.StatusOK)              // link leads to a page
		is.True(strings.HasPrefix(at.String(), app)) // of the app
		is.True(strings.Contains(body, "<h1>"))
		if !strings.Contains(link, "/quizzes/") { // leads to the activity that uses the quiz
			is.Equal(at.String(), link)
		}
	}
}
