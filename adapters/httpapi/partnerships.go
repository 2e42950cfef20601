package httpapi

import (
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/person"
)

func (s *server) listPartnerships() handler {
	return list(s, listing[person.Partnership]{
		schema: person.PartnershipSchema, list: s.app.Partnerships.List, toResource: s.partnership, ofSchool: true,
	})
}

func (s *server) createPartnership(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, person.PartnershipType)
	if err != nil {
		return err
	}
	var role person.Role
	if sent := request.Attribute(d, "role", roleOf); sent != nil {
		role = *sent
	}
	who := request.ToOne[person.ID](d, "person", person.Type)
	made, err := try(d.Faults, a, func(a app.Actor) (person.Partnership, error) {
		return s.app.Partnerships.Create(c.Request.Context(), a, who, role)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.partnership(made.ID.UUID), s.partnership(a, made))
}

// roleOf returns a role; that it is blank is for the domain to say.
func roleOf(name string, v jsonapi.Value) (person.Role, error) {
	role, err := request.TextOf(name, v)
	if err != nil || strings.TrimSpace(role) == "" {
		return person.Role{}, err
	}
	return person.ParseRole(role)
}

type partnershipAttributes struct {
	Role      string `json:"role"`
	CreatedAt string `json:"created_at"`
}

type partnershipRelationships struct {
	Person jsonapi.ToOne `json:"person"`
	School jsonapi.ToOne `json:"school"`
}

type partnershipLinks struct {
	Self string `json:"self"`
}

func (s *server) partnership(a app.Actor, p person.Partnership) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       person.PartnershipType,
		ID:         p.ID.String(),
		Attributes: partnershipAttributes{Role: p.Role.String(), CreatedAt: timestamp(p.CreatedAt)},
		Relationships: partnershipRelationships{
			Person: jsonapi.One(person.Type, p.Person.String()),
			School: schoolOf(a),
		},
		Links: partnershipLinks{Self: s.links.partnership(p.ID.UUID)},
	}
}
