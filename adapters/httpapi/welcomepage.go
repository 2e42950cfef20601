package httpapi

import (
	"mime"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/httpapi/welcome"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

const mediaHTML = "text/html; charset=utf-8"

// showWelcome answers with the page of the invitation in the path. It changes
// nothing, so that a mail program may look at the link.
func (s *server) showWelcome(c *gin.Context) error {
	w, err := s.invited(c)
	if err != nil {
		return s.refuseOnPage(c, err)
	}
	return s.welcome(c, http.StatusOK, welcomeTo(w))
}

func welcomeTo(w app.Welcome) welcome.Page {
	return welcome.Page{
		School: w.School.Name, Name: w.Person.FullName(),
		FirstName: w.Person.FirstName, LastName: w.Person.LastName,
	}
}

// acceptOnPage accepts the invitation in the path for the person that has sent its
// form. The token is checked before the form is read.
func (s *server) acceptOnPage(c *gin.Context) error {
	ctx, token := c.Request.Context(), c.Param("id")
	w, err := s.invited(c)
	if err != nil {
		return s.refuseOnPage(c, err)
	}
	form, err := s.readFields(c)
	if err != nil {
		return err
	}
	page := welcomeTo(w)
	accepted, _, err := s.app.Invitations.Accept(ctx, app.Actor{}, token, person.Edit{
		FirstName: told(form, "first_name", &page.FirstName), LastName: told(form, "last_name", &page.LastName),
	})
	if fault.Is(err, fault.Invalid) {
		for _, f := range fault.All(err) {
			page.Faults = append(page.Faults, label[f.Field]+" "+f.Detail)
		}
		return s.welcome(c, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return s.refuseOnPage(c, err)
	}
	page.Name, page.Accepted, page.Next = accepted.FullName(), true, s.links.Academy
	return s.welcome(c, http.StatusOK, page)
}

// label is what the page calls the fields of its form.
var label = map[string]string{"first_name": "First name", "last_name": "Last name"}

// told returns a field of the form, nil when it was not sent, and shows it again.
func told(form url.Values, name string, shown *string) *string {
	if !form.Has(name) {
		return nil
	}
	value := form.Get(name)
	*shown = value
	return &value
}

// readFields returns the fields of a form that was sent, none when the body is empty.
func (s *server) readFields(c *gin.Context) (url.Values, error) {
	body, err := s.readBody(c)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	if name, _, err := mime.ParseMediaType(c.GetHeader("Content-Type")); err != nil || name != "application/x-www-form-urlencoded" {
		return nil, respond.Refusef(http.StatusUnsupportedMediaType, "A form must be application/x-www-form-urlencoded")
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, respond.Refusef(http.StatusBadRequest, "The form cannot be understood")
	}
	return form, nil
}

// refuseOnPage tells on the page that there is no such invitation, or none any
// more; every other error is answered like all are.
func (s *server) refuseOnPage(c *gin.Context, err error) error {
	switch {
	case fault.Is(err, fault.NotFound):
		return s.welcome(c, http.StatusNotFound, welcome.Page{Refusal: "There is no such invitation"})
	case fault.Is(err, fault.Gone):
		return s.welcome(c, http.StatusGone, welcome.Page{Refusal: fault.All(err)[0].Detail})
	}
	return err
}

func (s *server) welcome(c *gin.Context, status int, p welcome.Page) error {
	body, err := p.Render()
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", welcome.Policy)
	h.Set("X-Robots-Tag", "noindex")
	if status == http.StatusOK {
		s.Answer(c, respond.ETag(mediaHTML, body), respond.NoStore, mediaHTML, body)
		return nil
	}
	h.Set("Cache-Control", respond.NoStore)
	s.Send(c, status, mediaHTML, body)
	return nil
}
