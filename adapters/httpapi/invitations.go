package httpapi

import (
	"net/url"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/property"
)

const (
	// invitationPath is the path of the page to which invitation emails link.
	invitationPath = "/invitations/:id"
	// acceptancePath is the path at which API clients accept an invitation.
	acceptancePath = "/v2/invitations/:id/acceptance"
)

// Invitation returns the URL of the page on which the invitation with this token is
// accepted.
func (l Links) Invitation(token string) string {
	return l.Base + "/invitations/" + url.PathEscape(token)
}

func (l Links) personInvitation(id uuid.UUID) string {
	return l.person(v2, id) + "/invitation"
}

// acceptanceLimit is the maximum size in bytes of the body of an acceptance, which has
// two names at most.
const acceptanceLimit = 4 << 10

// invitationLink returns the link of the token in the path. The lookup needs a slot for requests
// without a key, because clients without a valid token can cause it too. After it, the body and the
// response of the request count toward the school of the link.
func (s *server) invitationLink(c *gin.Context) (invitation.Link, error) {
	slot, err := s.middleware.EnterKeyless(c, s.rates.UnknownTokens)
	defer slot.Release()
	if err != nil {
		return invitation.Link{}, err
	}
	l, err := s.app.Invitations.Link(c.Request.Context(), c.Param("id"))
	if fault.Is(err, fault.NotFound) {
		_ = s.rates.UnknownTokens.Take(c.Writer.Header(), s.middleware.Network(c)) // this request gets 404; later ones may get 429
	}
	x := respond.StateOf(c)
	x.Actor = x.Actor.WithoutKey(l.School)
	return l, err
}

// invitationByToken returns the invitation of the token in the path. Everything except the lookup
// of the link uses a slot of the link's school, so that a school whose records are locked delays
// only its own requests.
func (s *server) invitationByToken(c *gin.Context) (app.InvitationView, error) {
	l, err := s.invitationLink(c)
	if err != nil {
		return app.InvitationView{}, err
	}
	slot, err := s.Lanes.EnterCheap(c.Request.Context(), l.School)
	defer slot.Release()
	if err != nil {
		return app.InvitationView{}, err
	}
	return s.app.Invitations.ByLink(c.Request.Context(), l)
}

// accept accepts the invitation of the token in the path, in a slot of its school.
func (s *server) accept(c *gin.Context, a app.Actor, names person.Changes) (person.Summary, app.Actor, error) {
	slot, err := s.Lanes.EnterCheap(c.Request.Context(), respond.StateOf(c).Actor.School())
	defer slot.Release()
	if err != nil {
		return person.Summary{}, app.Actor{}, err
	}
	return s.app.Invitations.Accept(c.Request.Context(), a, c.Param("id"), names)
}

// acceptInvitation activates the invited person. The optional body has the person's names. The
// token is checked before the body is read, so that a client without a token causes only the
// lookup.
func (s *server) acceptInvitation(c *gin.Context) error {
	if _, err := s.invitationByToken(c); err != nil {
		return err
	}
	d, err := s.readOptional(c, person.Type)
	if err != nil {
		return err
	}
	names := person.Changes{FirstName: d.Text("first_name"), LastName: d.Text("last_name")}
	var of app.Actor
	accepted, err := collectFaults(d.Faults, app.Actor{}, func(a app.Actor) (person.Summary, error) {
		p, actor, err := s.accept(c, a, names)
		of = actor
		return p, err
	})
	if err != nil {
		return err
	}
	accepted.Properties, accepted.Defined = property.Values{}, nil // as for a learner token; only clients with a key see them
	return s.WriteOK(c, jsonapi.Single{Data: s.fullPerson(of, accepted)})
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
	return s.WriteAccepted(c, s.links.personInvitation(id), s.invitation(a, asked))
}

type invitationAttributes struct {
	CreatedAt string `json:"created_at"`
}

type invitationRelationships struct {
	Person jsonapi.ToOne `json:"person"`
}

func (s *server) invitation(_ app.Actor, i invitation.Invitation) jsonapi.Resource {
	return jsonapi.Resource{
		Type:          invitation.Type,
		ID:            i.MessageID.String(),
		Attributes:    invitationAttributes{CreatedAt: timestamp(i.RequestedAt)},
		Relationships: invitationRelationships{Person: jsonapi.One(person.Type, i.Person.String())},
		Links:         selfLink{Self: s.links.personInvitation(i.Person.UUID)},
	}
}
