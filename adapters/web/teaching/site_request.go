package teaching

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/redact"
	"lyceum/adapters/web"
	"lyceum/app/teaching"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// formLimit is the maximum size of a form in bytes.
const formLimit = 256 << 10

var errNotFound = fault.RecordNotFound()

// siteRequest is a request for a page of the teaching app, with its response and the person of the
// staff.
type siteRequest struct {
	web.Visit
	site  *Site
	w     http.ResponseWriter
	r     *http.Request
	staff teaching.Staff

	refused []*fault.Fault // reasons why the form was refused
}

// url returns the public path of a page of the app.
func (x *siteRequest) url(path string) string {
	return strings.ReplaceAll(x.site.base, placeholder, x.School.Slug) + path
}

// form returns the fields of the form in the body.
func (x *siteRequest) form() (url.Values, error) { return web.ReadForm(x.w, x.r, formLimit) }

// redirect redirects the browser to a page of the app, which the browser requests with GET.
func (x *siteRequest) redirect(path string) error {
	http.Redirect(x.w, x.r, x.url(path), http.StatusSeeOther)
	return nil
}

// done redirects to a page of the app, which shows that the change was saved.
func (x *siteRequest) done(path string) error { return x.redirect(path + "?done=1") }

// here returns the path and query of the page within the app.
func (x *siteRequest) here() string {
	path := strings.TrimPrefix(x.r.URL.Path, "/"+x.School.Slug)
	if x.r.URL.RawQuery != "" {
		path += "?" + x.r.URL.RawQuery
	}
	return path
}

// keepForBack lets the browser keep the page, so that the Back button shows it again with what the
// person has typed. A page that is not kept is requested again: a form is blank then, and for the
// response to a form the browser shows an error. Pages about people are not kept. Browsers do not
// restore the values of controls with autocomplete=off.
func (x *siteRequest) keepForBack() { x.w.Header().Set("Cache-Control", "private, no-cache") }

// id returns the ID in the path with the given name.
func (x *siteRequest) id(name string) (uuid.UUID, error) {
	id, ok := text.UUID(x.r.PathValue(name))
	if !ok {
		return uuid.UUID{}, errNotFound
	}
	return id, nil
}

// fail responds to a request that failed. It redirects visitors who are not signed in to the
// sign-in page. After a form they return to the start page of the app.
func (s *Site) fail(x *siteRequest, err error) {
	status, title, text := x.Refusal(err)
	if status == http.StatusUnauthorized {
		path := x.here()
		if x.r.Method == http.MethodPost {
			path = "/"
		}
		x.SignIn(path)
		return
	}
	if status >= http.StatusInternalServerError {
		s.cfg.Log.ErrorContext(x.r.Context(), "page failed", slog.String("page", x.r.Pattern), slog.String("error", redact.Text(err.Error())))
	}
	if x.render(status, "refusal", refusal{title, text}) != nil {
		http.Error(x.w, title, status)
	}
}

// refusal is the data of the page that explains why a request failed.
type refusal struct{ Title, Text string }
