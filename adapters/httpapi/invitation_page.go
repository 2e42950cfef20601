package httpapi

import (
	"mime"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

const mediaHTML = "text/html; charset=utf-8"

// invitationPage responds with the page of the invitation in the path. It changes nothing, because
// mail programs may fetch links.
func (s *server) invitationPage(c *gin.Context) error {
	w, err := s.invitationByToken(c)
	if err != nil {
		return s.renderRefusal(c, err)
	}
	return s.renderInvitation(c, http.StatusOK, newInvitationPage(w))
}

func newInvitationPage(w app.InvitationView) invitationpage.Page {
	return invitationpage.Page{
		School: w.School.Name, Name: w.Person.FullName(),
		FirstName: w.Person.FirstName, LastName: w.Person.LastName,
	}
}

// acceptOnPage accepts the invitation in the path with the names in the form. It checks the token
// before it reads the form.
func (s *server) acceptOnPage(c *gin.Context) error {
	w, err := s.invitationByToken(c)
	if err != nil {
		return s.renderRefusal(c, err)
	}
	form, err := s.readFormFields(c)
	if err != nil {
		return err
	}
	page := newInvitationPage(w)
	accepted, a, err := s.accept(c, app.Actor{}, person.Changes{
		FirstName: formValue(form, "first_name", &page.FirstName), LastName: formValue(form, "last_name", &page.LastName),
	})
	// A rule of the domain can also return Forbidden or Conflict.
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Forbidden) || fault.Is(err, fault.Conflict) {
		for _, f := range fault.All(err) {
			page.Invalid = append(page.Invalid, invitationpage.Fault{Field: f.Field, Detail: f.Detail})
		}
		return s.renderInvitation(c, respond.StatusOf(fault.All(err)[0].Kind), page)
	}
	if err != nil {
		return s.renderRefusal(c, err)
	}
	page.Name, page.Accepted, page.Next = accepted.FullName(), true, s.beginURL(c, a, accepted)
	return s.renderInvitation(c, http.StatusOK, page)
}

// beginURL returns the URL to which the page links after p has accepted the invitation. If this
// server has an academy, the URL signs the person in, if the people of the school sign in by email.
func (s *server) beginURL(c *gin.Context, a app.Actor, p person.Summary) string {
	if s.cfg.Academy == nil {
		return inSchool(s.cfg.Begin, a.Slug(), "")
	}
	token, err := s.app.SignIns.CreateLinkOfInvited(c.Request.Context(), a.School(), p)
	if err != nil { // the person can still sign in on the start page
		return s.links.Start(a.Slug())
	}
	return s.links.SignIn(a.Slug(), token)
}

// formValue returns a field of the form, or nil if the field was not sent. It also sets *shown to a
// sent value.
func formValue(form url.Values, name string, shown *string) *string {
	if !form.Has(name) {
		return nil
	}
	value := form.Get(name)
	*shown = value
	return &value
}

// readFormFields returns the form fields in the body. An empty body has none, whatever its media
// type.
func (s *server) readFormFields(c *gin.Context) (url.Values, error) {
	body, err := middleware.ReadBody(c)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	if name, _, err := mime.ParseMediaType(c.GetHeader("Content-Type")); err != nil || name != "application/x-www-form-urlencoded" {
		return nil, respond.HTTPErrorf(http.StatusUnsupportedMediaType, "The body must be application/x-www-form-urlencoded")
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, respond.HTTPErrorf(http.StatusBadRequest, "The form is malformed")
	}
	return form, nil
}

// renderRefusal renders a page for an unknown or expired invitation. It returns other
// errors.
func (s *server) renderRefusal(c *gin.Context, err error) error {
	switch {
	case fault.Is(err, fault.NotFound):
		return s.renderInvitation(c, http.StatusNotFound, invitationpage.Page{Unknown: true})
	case fault.Is(err, fault.Gone):
		return s.renderInvitation(c, http.StatusGone, invitationpage.Page{Over: fault.All(err)[0].Detail})
	}
	return err
}

// failedInvitation responds with an error page to a browser whose request failed with status. It
// reports whether it has responded.
func (s *server) failedInvitation(c *gin.Context, status int) bool {
	c.Writer.Header().Add("Vary", "Accept")
	return acceptsHTML(c) && s.renderInvitation(c, status, invitationpage.Page{Failed: status}) == nil
}

func (s *server) renderInvitation(c *gin.Context, status int, p invitationpage.Page) error {
	body, err := s.pages.Render(p, c.GetHeader("Accept-Language"))
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", s.pages.Policy())
	h.Set("Referrer-Policy", "same-origin") // so that browsers send their origin with the form
	h.Add("Vary", "Accept-Language")
	h.Set("X-Robots-Tag", "noindex")
	if status == http.StatusOK {
		s.WriteBody(c, respond.ETag(mediaHTML, body), respond.NoStore, mediaHTML, body)
		return nil
	}
	h.Set("Cache-Control", respond.NoStore)
	s.Send(c, status, mediaHTML, body)
	return nil
}
