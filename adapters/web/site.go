package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"

	"lyceum/adapters/web/markdown"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Prefix is the path of the academy on its server.
const Prefix = "/learn"

// placeholder stands for the slug of the school in Config.Base.
const placeholder = "{school}"

// Config is the configuration of the academy.
type Config struct {
	// Base is the public URL of the academy, in which {school} stands for the slug of the school,
	// such as https://lms.example/learn/{school}.
	Base string
	// App is the public URL of the teaching app, with {school} like Base; blank: there is none. It
	// must have the same scheme and host as Base, because both share the cookie of the session.
	App string
	// Demo contains the people of the demo school who can sign in with a click; empty: none.
	Demo []DemoPerson
	// Attempts limits how often a client can guess links and request emails.
	Attempts Attempts
	// Admission limits the concurrent requests that cost more than other pages.
	Admission Admission
	// Media contains the origins from which pages may load videos and images, such as
	// https://media.example.org. Media from other origins are shown as links.
	Media []string
	// UploadLimit is the maximum size of a submitted file in bytes.
	UploadLimit int64
	// MailIsLogged means that the server writes emails to its log instead of sending them.
	MailIsLogged bool
	Log          *slog.Logger
}

// Attempts limits the attempts of clients, by their network.
type Attempts interface {
	// Check returns an error if the client of r has used up its attempts. It sets headers in h.
	Check(h http.Header, r *http.Request) error
	// Take counts an attempt, and returns an error like Check.
	Take(h http.Header, r *http.Request) error
	// TakeEmail counts an email that the client requests, and reports whether it may go to a
	// stranger: false after too many requests of the client.
	TakeEmail(r *http.Request) bool
}

// Admission limits concurrent requests. The end of a request ends its admission.
type Admission interface {
	// AdmitFile waits until a file for the school can be received, and returns a reader of the body
	// of r. Reads fail if the client is too slow.
	AdmitFile(w http.ResponseWriter, r *http.Request, of school.ID) (io.Reader, error)
	// AdmitVisitor waits until the school can do the work of a page for a visitor who is signed in.
	// It returns Unavailable if the wait is too long. ctx is the context of the request.
	AdmitVisitor(ctx context.Context, of school.ID, visitor person.ID) error
	// AdmitWork waits until the school can do the work. It returns Unavailable if the wait is too
	// long. ctx is the context of the request.
	AdmitWork(ctx context.Context, of school.ID, work Work) error
	// BeginRendering waits until a page, a text or the rows of a file can be processed, which takes
	// time of a processor. Schools take turns. It returns Unavailable if the wait is too long. The
	// caller must call end if err is nil. The zero ID stands for pages of no school.
	BeginRendering(ctx context.Context, of school.ID) (end func(), err error)
}

// Work is a kind of work that takes much time of a processor or of the database.
type Work int

// The kinds of work.
const (
	Search Work = iota // reading many records to show a few, or to count them
	Read               // reading a document with very many records
	Change             // changing very many records
	Wait               // waiting for an identity provider, which can respond slowly
)

// Site serves the academies of all schools of a server.
type Site struct {
	app    *app.App
	cfg    Config
	root   string // public path of the pages, without the slug of a school
	base   string // public path of the pages of a school, with the placeholder
	staff  string // like base, of the teaching app; blank: there is none
	origin string // public scheme and host, such as https://lms.example
	secure bool   // whether browsers use HTTPS
	mux    *http.ServeMux
	guard  *http.CrossOriginProtection

	policy   string // Content-Security-Policy of all pages
	markdown *markdown.Renderer
}

// New returns a Site that serves the use cases of a.
func New(a *app.App, cfg Config) *Site {
	s := &Site{app: a, cfg: cfg, mux: http.NewServeMux(), guard: http.NewCrossOriginProtection()}
	s.base = cfg.Base
	if u, err := url.Parse(cfg.Base); err == nil {
		s.secure, s.origin = u.Scheme == "https", u.Scheme+"://"+u.Host
		s.base = u.Path
	}
	if u, err := url.Parse(cfg.App); err == nil {
		s.staff = u.Path
	}
	s.root, _, _ = strings.Cut(s.base, "/"+placeholder)
	s.policy, s.markdown = policyFor(cfg.Media), markdown.New(s.mayLoad)
	s.routes()
	return s
}

// ServeHTTP serves the pages below Prefix. It refuses changes that pages of other sites request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.Protect(w, r); err != nil {
		s.fail(&siteRequest{site: s, w: w, r: r, texts: textsFor(r)}, err)
		return
	}
	inner := *r
	address := *r.URL
	address.Path, address.RawPath = strings.TrimPrefix(address.Path, Prefix), ""
	if address.Path == "" {
		address.Path = "/"
	}
	if len(address.Path) > 1 {
		address.Path = strings.TrimRight(address.Path, "/")
	}
	if path.Clean(address.Path) != address.Path { // the mux would redirect to a path without Prefix
		s.fail(&siteRequest{site: s, w: w, r: r, texts: textsFor(r)}, errNotFound)
		return
	}
	inner.URL = &address
	if name, ok := strings.CutPrefix(address.Path, assetPath); ok {
		s.asset(w, &inner, name)
		return
	}
	s.mux.ServeHTTP(w, &inner)
}

// Protect sets the headers of a page. It returns an error if a page of another site requests a
// change.
func (s *Site) Protect(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Referrer-Policy", "same-origin") // so that browsers send their origin with forms
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Language, Cookie")
	h.Set("X-Robots-Tag", "noindex")
	if s.guard.Check(r) != nil {
		return errForeign
	}
	return nil
}

// policyFor returns the Content-Security-Policy of all pages, with the origins of videos and
// images.
func policyFor(media []string) string {
	origins := strings.Join(append([]string{"'self'"}, media...), " ")
	return "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src " + origins + "; media-src " + origins +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
