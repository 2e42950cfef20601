// Package academy_test follows links from API documents and emails into the academy of a running
// server.
package academy_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/domain/invitation"
)

// sentInvitations receives the invitations that the server sends.
type sentInvitations chan invitation.Message

// Send implements ports.InvitationSender.
func (l sentInvitations) Send(_ context.Context, m invitation.Message) error {
	l <- m
	return nil
}

// serve runs a server with the demo school until the test ends, and returns its URL.
func serve(t *testing.T, sent sentInvitations) string {
	t.Helper()
	cfg := server.Defaults()
	cfg.DemoKey, cfg.DemoSlug = demo.Key, demo.Slug
	cfg.Demo = []web.DemoPerson{{School: demo.SchoolID, Role: "learner", Email: learnerEmail}}
	cfg.Extension = server.Extend(server.WithInvitationSender(sent))
	return serveWith(t, cfg)
}

// learnerEmail is the address of a learner of the demo school.
const learnerEmail = "jiwoo.park@example.test"

// serveWith is like serve, but with the given configuration.
func serveWith(t *testing.T, cfg server.Config) string {
	t.Helper()
	is := is.New(t)
	cfg.Transport.Addr = "127.0.0.1:0"
	s, err := server.New(cfg)
	is.NoErr(err)
	_, err = s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	is.NoErr(err)
	is.NoErr(s.Start(t.Context()))
	t.Cleanup(func() { is.NoErr(s.Stop()) })
	return s.URL()
}

func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	is.New(t).NoErr(err)
	return &http.Client{Jar: jar}
}

// open requests an address and returns the status, the final address and the body.
func open(t *testing.T, client *http.Client, method, address string, header http.Header, body string) (int, *url.URL, string) {
	t.Helper()
	is := is.New(t)
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	is.NoErr(err)
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{"Accept": {"text/html"}}
	}
	response, err := client.Do(r)
	is.NoErr(err)
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	is.NoErr(err)
	return response.StatusCode, response.Request.URL, string(read)
}

var form = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}

// TestLinksLeadToPages checks that every academy link in an API document leads to a page. Visitors
// who are not signed in get the page or the sign-in page, which returns to the link.
func TestLinksLeadToPages(t *testing.T) {
	is := is.New(t)
	base := serve(t, make(sentInvitations, 10))
	academy := base + web.Prefix + "/" + demo.Slug
	leads := regexp.MustCompile(`"(` + regexp.QuoteMeta(academy) + `/[^"]+)"`)
	var links []string
	for _, list := range []string{
		"/v1/courses", "/v2/courses", "/v1/groups", "/v2/groups", "/v2/people", "/v1/learners", "/v2/categories", "/v2/coupons", "/v2/quizzes",
		"/v2/assignments", "/v2/activities", "/v2/school",
	} {
		status, _, body := open(t, http.DefaultClient, http.MethodGet, base+list+"?limit=1000", http.Header{"X-Api-Key": {demo.Key}}, "")
		is.Equal(status, http.StatusOK) // list can be read
		for _, found := range leads.FindAllStringSubmatch(body, -1) {
			links = append(links, found[1])
		}
	}
	slices.Sort(links)
	links = slices.Compact(links)
	kinds := map[string]bool{}
	for _, link := range links {
		kinds[strings.Split(strings.TrimPrefix(link, academy+"/"), "/")[0]] = true
	}
	is.Equal(len(kinds), 3) // the paths begin with c, g or outline

	stranger, learner := newBrowser(t), newBrowser(t)
	status, at, _ := open(t, learner, http.MethodPost, academy+"/demo", form, "role=learner")
	is.Equal(status, http.StatusOK)
	is.Equal(at.String(), academy+"/courses")
	for _, link := range links {
		status, at, _ := open(t, stranger, http.MethodGet, link, nil, "")
		is.Equal(status, http.StatusOK) // link leads to a page
		if at.String() != link {
			is.Equal(at.String(), academy+"/sign-in?return="+url.QueryEscape(strings.TrimPrefix(link, academy)))
		}
		status, at, body := open(t, learner, http.MethodGet, link, nil, "")
		is.Equal(status, http.StatusOK)
		is.Equal(at.String(), link)
		is.True(strings.Contains(body, "<h1>"))
	}
}

// TestInvitationLeadsIntoTheAcademy checks that the page after an accepted invitation has a link
// that signs the person in to the academy.
func TestInvitationLeadsIntoTheAcademy(t *testing.T) {
	is := is.New(t)
	sent := make(sentInvitations, 10)
	base := serve(t, sent)
	key := http.Header{"X-Api-Key": {demo.Key}, "Content-Type": {"application/json"}}
	status, _, _ := open(t, http.DefaultClient, http.MethodPost, base+"/v2/people", key, `{"data":{"type":"people","attributes":{"email":"eve@example.test"}}}`)
	is.Equal(status, http.StatusCreated)
	eve := newBrowser(t)
	_, _, page := open(t, eve, http.MethodPost, base+"/invitations/"+(<-sent).Token, form, "first_name=Eve")
	begin := regexp.MustCompile(`href="([^"]+/sign-in/[0-9a-f]+)"`).FindStringSubmatch(page)
	is.Equal(len(begin), 2)
	status, _, _ = open(t, eve, http.MethodGet, begin[1], nil, "")
	is.Equal(status, http.StatusOK)
	status, at, _ := open(t, eve, http.MethodPost, begin[1], form, "")
	is.Equal(status, http.StatusOK)
	is.Equal(at.Path, web.Prefix+"/"+demo.Slug+"/courses")
}

// TestHomePageLeadsIntoTheDemoSchool checks that the home page has a form that enters the demo
// school as a learner.
func TestHomePageLeadsIntoTheDemoSchool(t *testing.T) {
	is := is.New(t)
	base := serve(t, make(sentInvitations, 10))
	status, _, body := open(t, newBrowser(t), http.MethodGet, base, nil, "")
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, `<form method="post" action="`+base+web.Prefix+"/"+demo.Slug+`/demo"><button type="submit" name="role" value="learner">`))
}
