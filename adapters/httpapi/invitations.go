package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
)

const (
	// welcomePath is the page to which letters lead.
	welcomePath = "/invitations/:id"
	// acceptancePath is its twin for programs.
	acceptancePath = "/v2/invitations/:id/acceptance"
)

// isInvitation tells whether a path, escaped, is one on which the token of an
// invitation stands in the place of a key.
func isInvitation(escaped string) bool {
	token, page := strings.CutPrefix(escaped, "/invitations/")
	if !page {
		rest, ok := strings.CutPrefix(escaped, "/v2/invitations/")
		token, page = strings.CutSuffix(rest, "/acceptance")
		page = page && ok
	}
	return page && token != "" && !strings.Contains(token, "/")
}

// Invitation returns the address of the page on which the invitation with token
// is accepted.
func (l Links) Invitation(token string) string {
	return l.Base + "/invitations/" + url.PathEscape(token)
}

func (l Links) personInvitation(id uuid.UUID) string {
	return l.person(v2, id) + "/invitation"
}

// acceptanceLimit is how many bytes the body of an acceptance may have: it holds
// two names at most.
const acceptanceLimit = 4 << 10

// invited returns what the token in the path opens. To find it is all that a client
// without a token can make the server do, so it has a slot of its own.
func (s *server) invited(c *gin.Context) (app.Welcome, error) {
	slot, err := s.enterKeyless(c, s.rates.UnknownTokens)
	defer slot.Release()
	if err != nil {
		return app.Welcome{}, err
	}
	w, err := s.app.Invitations.Show(c.Request.Context(), c.Param("id"))
	if fault.Is(err, fault.NotFound) {
		_ = s.rates.UnknownTokens.Take(c.Writer.Header(), s.network(c)) // this request is answered; the next ones may not be
	}
	return w, err
}

// acceptInvitation activates the person that the token in the path was sent to. A
// body is optional; it may hold the person's names. The token is checked before
// the body is read, so that a client without one costs a look-up and no more.
func (s *server) acceptInvitation(c *gin.Context) error {
	if _, err := s.invited(c); err != nil {
		return err
	}
	d, err := s.readOptional(c, person.Type)
	if err != nil {
		return err
	}
	names := person.Edit{FirstName: d.Text("first_name"), LastName: d.Text("last_name")}
	var of app.Actor
	accepted, err := try(d.Faults, app.Actor{}, func(a app.Actor) (person.Summary, error) {
		p, actor, err := s.app.Invitations.Accept(c.Request.Context(), a, c.Param("id"), names)
		of = actor
		return p, err
	})
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.fullPerson(of, accepted)})
}

func (s *server) resendInvitation(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	asked, err := s.app.Invitations.Resend(c.Request.Context(), a, person.ID{UUID: id})
	if err != nil {
		return err
	}
	return s.Accepted(c, s.links.personInvitation(id), s.invitation(a, asked))
}

type invitationAttributes struct {
	CreatedAt string `json:"created_at"`
}

type invitationRelationships struct {
	Person jsonapi.ToOne `json:"person"`
}

type invitationLinks struct {
	Self string `json:"self"`
}

func (s *server) invitation(_ app.Actor, i invitation.Invitation) jsonapi.Resource {
	return jsonapi.Resource{
		Type:          invitation.Type,
		ID:            i.Letter.String(),
		Attributes:    invitationAttributes{CreatedAt: timestamp(i.AskedAt)},
		Relationships: invitationRelationships{Person: jsonapi.One(person.Type, i.Person.String())},
		Links:         invitationLinks{Self: s.links.personInvitation(i.Person.UUID)},
	}
}

// routesOfTokens is the routes that the token of an invitation opens.
func (s *server) routesOfTokens(on register) {
	on(http.MethodGet, welcomePath, s.Step(s.showWelcome))
	small := limitBody(acceptanceLimit)
	on(http.MethodPost, welcomePath, small, s.Step(s.acceptOnPage))
	on(http.MethodPost, acceptancePath, small, s.Step(s.in(v2).acceptInvitation))
}
