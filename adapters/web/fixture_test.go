package web_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/mail"
	"lyceum/adapters/outgoing"
	"lyceum/adapters/sso"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/stores"
)

// jiwoo is a learner of the demo school.
const jiwoo = "jiwoo.park@example.test"

// academy serves the learner pages of the demo school on a test server.
type academy struct {
	*app.App
	clock    *fake.Clock
	sent     []signin.Message
	attempts *attempts
	base     string // URL of the academy of the school
	root     string // base URL of all academies

	renderings atomic.Int64 // for a school
	reads      atomic.Int64 // of large documents
	waits      atomic.Int64 // for a provider
	failure    error        // of every rendering for a school; nil: none
}

// attempts allows the given numbers of attempts and of emails to strangers, and refuses further ones.
type attempts struct{ left, emails int }

func (a *attempts) Check(http.Header, *http.Request) error {
	if a.left <= 0 {
		return errors.New("too many attempts")
	}
	return nil
}

func (a *attempts) TakeEmail(*http.Request) bool {
	a.emails--
	return a.emails >= 0
}

func (a *attempts) Take(h http.Header, r *http.Request) error {
	err := a.Check(h, r)
	a.left--
	return err
}

// anyWork admits every file and all work. It counts the renderings for a school, the reads of large
// documents, and the waits for a provider.
type anyWork struct{ of *academy }

func (anyWork) AdmitFile(_ http.ResponseWriter, r *http.Request, _ school.ID) (io.Reader, error) {
	return r.Body, nil
}

func (anyWork) AdmitVisitor(context.Context, school.ID, person.ID) error { return nil }

func (a anyWork) AdmitWork(_ context.Context, _ school.ID, work web.Work) error {
	switch work {
	case web.Read:
		a.of.reads.Add(1)
	case web.Wait:
		a.of.waits.Add(1)
	}
	return nil
}

func (a anyWork) BeginRendering(_ context.Context, of school.ID) (func(), error) {
	if of == (school.ID{}) {
		return func() {}, nil
	}
	a.of.renderings.Add(1)
	return func() {}, a.of.failure
}

// newAcademy serves the demo school from an empty store, with the given authentication method.
func newAcademy(t *testing.T, open stores.Opener, auth school.AuthMethod) *academy {
	t.Helper()
	is := is.New(t)
	// The data of the demo school ends before this day.
	on, clock := open(t), fake.NewClock(time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC))
	kept, err := files.OpenFolder(t.TempDir())
	is.NoErr(err)
	t.Cleanup(func() { _ = kept.Close() })
	a := &academy{clock: clock, attempts: &attempts{left: 1000, emails: 1000}}
	a.App = app.New(on.Store, on.Schools, on.Queue, kept, mail.NewLogger(slog.New(slog.DiscardHandler)), clock, fake.NewIDs())
	a.SignInDelivery.SetSender(a)
	a.SetServerSecret("a secret of the server")
	client := outgoing.NewClient(outgoing.Config{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Timeout: 5 * time.Second, MaxBody: 1 << 20})
	a.SignIns.SetProviders(sso.New(client, clock, slog.New(slog.DiscardHandler)))
	_, err = a.Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	is.NoErr(err)
	_, err = a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{Auth: &auth})
	is.NoErr(err)
	server := httptest.NewUnstartedServer(nil)
	a.root = "http://" + server.Listener.Addr().String() + web.Prefix
	a.base = a.root + "/" + demo.Slug
	server.Config.Handler = web.New(a.App, web.Config{
		Base: a.root + "/{school}", Attempts: a.attempts, Admission: anyWork{a}, Media: []string{"https://media.example.test"}, UploadLimit: 2 << 20, Log: slog.New(slog.DiscardHandler),
		Demo: []web.DemoPerson{{School: demo.SchoolID, Role: "learner", Email: jiwoo}},
	})
	server.Start()
	t.Cleanup(server.Close)
	return a
}

// SendSignIn implements ports.SignInSender.
func (a *academy) SendSignIn(_ context.Context, m signin.Message) error {
	a.sent = append(a.sent, m)
	return nil
}

// deliver runs the due jobs that send sign-in links, and returns the sent emails.
func (a *academy) deliver(t *testing.T) []signin.Message {
	t.Helper()
	a.sent = nil
	for more := true; more; {
		toPerson, err := a.SignInDelivery.DeliverNext(t.Context())
		is.New(t).NoErr(err)
		toStranger, err := a.SignInDelivery.DeliverNextToStranger(t.Context())
		is.New(t).NoErr(err)
		more = toPerson || toStranger
	}
	return a.sent
}

// browser visits the academy. It keeps cookies and follows redirects.
type browser struct {
	t        *testing.T
	academy  *academy
	client   *http.Client
	language string
	agent    string // value of User-Agent
}

func (a *academy) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	is.New(t).NoErr(err)
	return &browser{t: t, academy: a, client: &http.Client{Jar: jar}, agent: "A browser"}
}

// signedIn returns a browser in which the person with the given email address is signed in.
func (a *academy) signedIn(t *testing.T, email string) *browser {
	t.Helper()
	b := a.browser(t)
	token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, email)
	is.New(t).NoErr(err)
	is.New(t).Equal(b.post("/sign-in/"+token, nil).path, "/courses")
	return b
}

// page is a response after all redirects.
type page struct {
	status int
	path   string // within the school
	body   string
	header http.Header
}

func (p page) has(text string) bool { return strings.Contains(p.body, text) }

// get visits a page of the school.
func (b *browser) get(path string) page {
	b.t.Helper()
	return b.visit(http.MethodGet, b.address(path), nil, "")
}

// post sends a form to a page of the school.
func (b *browser) post(path string, form url.Values) page {
	b.t.Helper()
	return b.visit(http.MethodPost, b.address(path), form, "same-origin")
}

// address returns the URL of a path in the school. It returns a URL unchanged.
func (b *browser) address(path string) string {
	if strings.HasPrefix(path, "http") {
		return path
	}
	return b.academy.base + path
}

func (b *browser) visit(method, address string, form url.Values, site string) page {
	b.t.Helper()
	return b.send(method, address, strings.NewReader(form.Encode()), "application/x-www-form-urlencoded", site)
}

// send sends a request with a body of the given media type.
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
	r.Header.Set("User-Agent", b.agent)
	response, err := b.client.Do(r)
	is.NoErr(err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	is.NoErr(err)
	return page{
		status: response.StatusCode, path: strings.TrimPrefix(response.Request.URL.String(), b.academy.base), body: string(content), header: response.Header,
	}
}
