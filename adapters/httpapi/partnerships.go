package httpapi

import (
	"context"
	"strings"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/person"
)

func (s *server) listPartnerships() handler {
	return list(s, lists.Listing[person.Partnership]{
		Schema: person.PartnershipSchema, List: s.app.Partnerships.List, ToResource: s.partnership, OfSchool: true,
	})
}

// newPartnership contains the person and the role of a partnership to create.
type newPartnership struct {
	person person.ID
	role   person.Role
}

func (s *server) createPartnership() handler {
	return createHandler(s, creation[newPartnership, person.Partnership]{
		types: []string{person.PartnershipType},
		read: func(d *request.Document) newPartnership {
			role := valueOrZero(request.Attribute(d, "role", parseRole))
			return newPartnership{request.ToOne[person.ID](d, "person", person.Type), role}
		},
		create: func(ctx context.Context, a app.Actor, n newPartnership) (person.Partnership, error) {
			return s.app.Partnerships.Create(ctx, a, n.person, n.role)
		},
		url:        func(made person.Partnership) string { return s.links.partnership(made.ID.UUID) },
		toResource: s.partnership,
	})
}

// parseRole reads a role. For a blank text it returns the zero role, which the domain refuses.
func parseRole(name string, v jsonapi.Value) (person.Role, error) {
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

func (s *server) partnership(a app.Actor, p person.Partnership) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       person.PartnershipType,
		ID:         p.ID.String(),
		Attributes: partnershipAttributes{Role: p.Role.String(), CreatedAt: timestamp(p.CreatedAt)},
		Relationships: partnershipRelationships{
			Person: jsonapi.One(person.Type, p.Person.String()),
			School: schoolRelationship(a),
		},
		Links: selfLink{Self: s.links.partnership(p.ID.UUID)},
	}
}
