package web

import (
	"net/http"
	"net/url"
	"strings"

	"lyceum/app/auth"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// formLimit is the maximum size of a form in bytes.
const formLimit = 64 << 10

// siteRequest is a request for a page of the academy, with its response and what is known about the
// visitor.
type siteRequest struct {
	site    *Site
	w       http.ResponseWriter
	r       *http.Request
	texts   *texts
	school  school.State
	visitor *auth.Visitor // nil: not signed in
}

// enterSchool finds the school in the path, and the visitor of the session in the cookie.
func (x *siteRequest) enterSchool() error { return x.enter(x.r.PathValue("school")) }

func (x *siteRequest) enter(slug string) error {
	var err error
	if x.school, err = x.site.app.SignIns.School(x.r.Context(), slug); err != nil {
		return err
	}
	token, ok := x.sessionToken()
	if !ok {
		return nil
	}
	v, err := x.site.app.SignIns.Visitor(x.r.Context(), x.school, token)
	if fault.Is(err, fault.Unauthenticated) {
		x.clearSession()
		return nil
	}
	if err == nil {
		x.visitor = &v
	}
	return err
}

// url returns the public path of a page of the school.
func (x *siteRequest) url(path string) string {
	return strings.ReplaceAll(x.site.base, placeholder, x.school.Slug) + path
}

// appURL returns the public path of a page of the teaching app.
func (x *siteRequest) appURL(path string) string {
	return strings.ReplaceAll(x.site.staff, placeholder, x.school.Slug) + path
}

// isStaff reports whether the visitor can enter the teaching app.
func (x *siteRequest) isStaff() bool {
	return x.site.staff != "" && x.visitor != nil && len(x.visitor.Person.Partnerships) > 0
}

// isVisit reports whether a person opens the page, as opposed to a program that checks its link or a
// browser that loads the page in advance.
func (x *siteRequest) isVisit() bool {
	return x.r.Method == http.MethodGet && x.r.Header.Get("Sec-Purpose") == ""
}

// form returns the fields of the form in the body.
func (x *siteRequest) form() (url.Values, error) { return ReadForm(x.w, x.r, formLimit) }

// redirect redirects the browser to a page of the school, which the browser requests with GET.
func (x *siteRequest) redirect(path string) error {
	http.Redirect(x.w, x.r, x.url(path), http.StatusSeeOther)
	return nil
}

// here returns the path and query of the page within the school. The visitor can return there after
// a sign-in.
func (x *siteRequest) here() string {
	path := strings.TrimPrefix(x.r.URL.Path, "/"+x.school.Slug)
	if x.r.URL.RawQuery != "" {
		path += "?" + x.r.URL.RawQuery
	}
	return path
}
