package teaching_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/web"
	"lyceum/adapters/web/teaching"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/stores"
)

// The people of the demo school, by role.
const (
	owner      = "eleanor.hartley@example.test"
	manager    = "tomas.novak@example.test"
	instructor = "ines.carvalho@example.test"
	learner    = "jiwoo.park@example.test"
)

// The instructor instructs the first course, and another person the second.
const (
	ownCourse     = "/courses/seeing-light"
	foreignCourse = "/courses/songwriting-workshop"
)

// server serves the academy and the teaching app of the demo school.
type server struct {
	*app.App
	clock   *fake.Clock
	emails  *fake.InvitationSender
	origin  string
	base    string // URL of the app of the school
	academy string

	admission admission
}

// attempts allows every attempt.
type attempts struct{}

func (attempts) Check(http.Header, *http.Request) error { return nil }
func (attempts) Take(http.Header, *http.Request) error  { return nil }
func (attempts) TakeEmail(*http.Request) bool           { return true }

// admission admits every file, and all work unless full is set. It records the admitted work.
type admission struct {
	full    bool
	work    []web.Work
	arrives func() // called when a file arrives; nil: nothing
}

func (a *admission) AdmitFile(_ http.ResponseWriter, r *http.Request, _ school.ID) (io.Reader, error) {
	if a.arrives != nil {
		a.arrives()
	}
	return r.Body, nil
}

func (a *admission) AdmitWork(_ context.Context, _ school.ID, work web.Work) error {
	if a.full {
		return fault.Unavailablef("too much work")
	}
	a.work = append(a.work, work)
	return nil
}

func (*admission) AdmitVisitor(context.Context, school.ID, person.ID) error { return nil }

func (*admission) BeginRendering(context.Context, school.ID) (func(), error) { return func() {}, nil }

func newServer(t *testing.T, open stores.Opener) *server {
	t.Helper()
	return newServerWith(t, open, web.Config{})
}

// newServerWith returns a server whose academy has the settings in cfg that newServer leaves unset.
func newServerWith(t *testing.T, open stores.Opener, cfg web.Config) *server {
	t.Helper()
	is := is.New(t)
	// The data of the demo school ends before this day.
	on, clock := open(t), fake.NewClock(time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC))
	kept, err := files.OpenFolder(t.TempDir())
	is.NoErr(err)
	t.Cleanup(func() { _ = kept.Close() })
	log := slog.New(slog.DiscardHandler)
	s := &server{clock: clock, emails: fake.NewInvitationSender()}
	s.App = app.New(on.Store, on.Schools, on.Queue, kept, s.emails, clock, fake.NewIDs())
	s.SetServerSecret("a secret of the server")
	_, err = s.Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	is.NoErr(err)
	h := httptest.NewUnstartedServer(nil)
	s.origin = "http://" + h.Listener.Addr().String()
	s.base, s.academy = s.origin+teaching.Prefix+"/"+demo.Slug, s.origin+web.Prefix+"/"+demo.Slug
	cfg.Base, cfg.App = s.origin+web.Prefix+"/{school}", s.origin+teaching.Prefix+"/{school}"
	cfg.Attempts, cfg.Admission, cfg.UploadLimit, cfg.Log = attempts{}, &s.admission, 2<<20, log
	academy := web.New(s.App, cfg)
	mux := http.NewServeMux()
	mux.Handle(web.Prefix+"/", academy)
	mux.Handle(teaching.Prefix+"/", teaching.New(s.App, academy, teaching.Config{Base: s.origin + teaching.Prefix + "/{school}", Log: log}))
	h.Config.Handler = mux
	h.Start()
	t.Cleanup(h.Close)
	return s
}

// browser visits the app. It keeps cookies and follows redirects.
type browser struct {
	t        *testing.T
	server   *server
	client   *http.Client
	language string
}

func (s *server) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	is.New(t).NoErr(err)
	return &browser{t: t, server: s, client: &http.Client{Jar: jar}}
}

// as returns a browser in which the person with the given email address is signed in.
func (s *server) as(t *testing.T, email string) *browser {
	t.Helper()
	b := s.browser(t)
	token, err := s.SignIns.CreateLink(t.Context(), demo.SchoolID, email)
	is.New(t).NoErr(err)
	b.send(http.MethodPost, s.academy+"/sign-in/"+token, strings.NewReader(""), formType, "same-origin")
	return b
}

const formType = "application/x-www-form-urlencoded"

// page is a response after all redirects.
type page struct {
	status int
	path   string // within the app
	body   string
	header http.Header
}

func (p page) has(text string) bool { return strings.Contains(p.body, text) }

// get visits a page of the app.
func (b *browser) get(path string) page {
	b.t.Helper()
	return b.send(http.MethodGet, b.server.base+path, nil, "", "")
}

// post sends a form to a page of the app.
func (b *browser) post(path string, fields ...string) page {
	b.t.Helper()
	return b.send(http.MethodPost, b.server.base+path, strings.NewReader(formOf(fields...)), formType, "same-origin")
}

// formOf returns a form with the given names and values.
func formOf(fields ...string) string {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return form.Encode()
}

func (b *browser) send(method, address string, body io.Reader, mediaType, site string) page {
	b.t.Helper()
	is := is.New(b.t)
	r, err := http.NewRequestWithContext(b.t.Context(), method, address, body)
	is.NoErr(err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", mediaType)
		r.Header.Set("Sec-Fetch-Site", site)
	}
	r.Header.Set("Accept-Language", b.language)
	response, err := b.client.Do(r)
	is.NoErr(err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	is.NoErr(err)
	return page{response.StatusCode, strings.TrimPrefix(response.Request.URL.String(), b.server.base), string(content), response.Header}
}
