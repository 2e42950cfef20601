package teaching

import (
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"

	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/app/teaching"
)

// Prefix is the path of the teaching app on its server.
const Prefix = "/app"

// placeholder stands for the slug of the school in Config.Base.
const placeholder = "{school}"

// Config is the configuration of the teaching app.
type Config struct {
	// Base is the public URL of the app, in which {school} stands for the slug of the school, such
	// as https://lms.example/app/{school}.
	Base string
	Log  *slog.Logger
}

// Site serves the teaching apps of all schools of a server.
type Site struct {
	app     *teaching.Teaching
	academy *web.Site
	cfg     Config
	root    string // public path of the pages, without the slug of a school
	base    string // public path of the pages of a school, with the placeholder
	mux     *http.ServeMux
}

// New returns a Site that serves the use cases of a to people who are signed in to the academy.
func New(a *app.App, academy *web.Site, cfg Config) *Site {
	s := &Site{
		app: teaching.New(a), academy: academy, cfg: cfg, base: cfg.Base, mux: http.NewServeMux(),
	}
	if u, err := url.Parse(cfg.Base); err == nil {
		s.base = u.Path
	}
	s.root, _, _ = strings.Cut(s.base, "/"+placeholder)
	s.routes()
	return s
}

// ServeHTTP serves the pages below Prefix. It refuses changes that pages of other sites request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.academy.Protect(w, r); err != nil {
		s.failEarly(w, r, err)
		return
	}
	inner := *r
	address := *r.URL
	address.Path, address.RawPath = strings.TrimPrefix(address.Path, Prefix), ""
	if len(address.Path) > 1 {
		address.Path = strings.TrimRight(address.Path, "/")
	}
	inner.URL = &address
	switch name, ok := strings.CutPrefix(address.Path, assetPath); {
	case address.Path == "" || address.Path == "/":
		http.Redirect(w, r, web.Prefix, http.StatusSeeOther) // there the person chooses a school
	case path.Clean(address.Path) != address.Path: // the mux would redirect to a path without Prefix
		s.failEarly(w, &inner, errNotFound)
	case ok:
		s.asset(w, &inner, name)
	default:
		s.mux.ServeHTTP(w, &inner)
	}
}

// failEarly responds to a request that failed before its school was known.
func (s *Site) failEarly(w http.ResponseWriter, r *http.Request, err error) {
	visit, _ := s.academy.Visit(w, r, "")
	s.fail(&siteRequest{Visit: visit, site: s, w: w, r: r}, err)
}
