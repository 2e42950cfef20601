package web

import (
	"errors"
	"io"
	"net/http"
	"time"

	"lyceum/app/auth"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// Visit is a request for a page that another package serves to the people of a school, such as the
// teaching app. It shares the sessions, languages and style of the academy.
type Visit struct {
	School  school.State
	Visitor *auth.Visitor // nil: not signed in
	x       *siteRequest
}

// Visit returns the visit of the school with the given slug. It also returns a Visit with an error,
// so that the caller can render a page about the error.
func (s *Site) Visit(w http.ResponseWriter, r *http.Request, slug string) (Visit, error) {
	x := &siteRequest{site: s, w: w, r: r, texts: textsFor(r)}
	if slug == "" {
		return Visit{x: x}, errNotFound
	}
	err := x.enter(slug)
	return Visit{School: x.school, Visitor: x.visitor, x: x}, err
}

// Language returns the language of the page.
func (v Visit) Language() string { return v.x.texts.Lang }

// Date returns a day in UTC in the language of the page.
func (v Visit) Date(t time.Time) string { return v.x.texts.date(t) }

// Academy returns the address of a page of the academy.
func (v Visit) Academy(path string) string { return v.x.url(path) }

// Address returns the public URL of a page of the academy.
func (v Visit) Address(path string) string { return v.x.site.origin + v.x.url(path) }

// MailIsLogged reports whether the server writes emails to its log instead of sending them.
func (v Visit) MailIsLogged() bool { return v.x.site.cfg.MailIsLogged }

// Media returns the origins from which pages of the academy may load videos.
func (v Visit) Media() []string { return v.x.site.cfg.Media }

// MayLoad reports whether pages of the academy may load a video from an address.
func (v Visit) MayLoad(address string) bool { return v.x.site.mayLoad(address) }

// StyleSheet returns the address of the style sheet of the academy.
func (v Visit) StyleSheet() string { return v.x.asset("style.css") }

// SignIn redirects to the sign-in page. After the sign-in, the person returns to the path in the
// teaching app.
func (v Visit) SignIn(path string) { v.x.leadToSignIn(appPath + path) }

// Refusal returns the status, title and text of a page about an error. If the error is temporary,
// Refusal sets the header that tells the client when to try again.
func (v Visit) Refusal(err error) (status int, title, text string) {
	status, page := v.x.refusalOf(err)
	v.x.advise(status)
	return status, page.Title, page.Text
}

// IsTooLarge reports whether err means that a body exceeded its limit.
func IsTooLarge(err error) bool {
	var tooLarge *http.MaxBytesError
	return errors.As(err, &tooLarge)
}

// ErrMalformed is the error of a form that cannot be read.
var ErrMalformed = fault.Malformedf("form", "cannot be read")

// AdmitFile waits until a file for the school can be received, like Admission.AdmitFile.
func (v Visit) AdmitFile() (io.Reader, error) {
	return v.x.site.cfg.Admission.AdmitFile(v.x.w, v.x.r, v.School.ID)
}

// Render calls do, which renders a template or reads the rows of a file, when
// Admission.BeginRendering lets the school do it.
func (v Visit) Render(do func() error) error {
	return v.x.rendered(do)
}

// AdmitVisitor waits until the school can do the work of a page for the Visitor, who must be signed
// in, like Admission.AdmitVisitor.
func (v Visit) AdmitVisitor() error {
	return v.x.admitVisitor()
}

// AdmitWork waits until the school can do the work, like Admission.AdmitWork.
func (v Visit) AdmitWork(work Work) error {
	return v.x.site.cfg.Admission.AdmitWork(v.x.r.Context(), v.School.ID, work)
}
