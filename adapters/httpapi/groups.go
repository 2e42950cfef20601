package httpapi

import (
	"encoding/json"

	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/group"
	"lyceum/domain/property"
)

func (s *server) listGroups() handler {
	return list(s, lists.Listing[group.Summary]{
		SchemaOf: s.links.groupSchema, List: s.app.Groups.List, ToResource: s.listedGroup,
		Properties: property.Groups,
	})
}

func (s *server) createGroup() handler {
	return createHandler(s, creation[group.Changes, group.Summary]{
		types: []string{group.Type}, read: groupChanges, create: s.app.Groups.Create,
		url:        func(made group.Summary) string { return s.links.group(s.version, made.ID.UUID) },
		toResource: s.group,
	})
}

func (s *server) updateGroup() handler {
	return updateHandler(s, group.Type, groupChanges, s.app.Groups.Update, s.group)
}

// groupChanges reads the attributes of a group.
func groupChanges(d *request.Document) group.Changes {
	return group.Changes{Name: d.Text("name"), Properties: documents.ReadProperties(d)}
}

type groupAttributes struct {
	Name                string `json:"name"`
	MembershipCount     *int64 `json:"membership_count,omitempty"` // only in lists
	CreatedAt           string `json:"created_at"`
	UpdatedAt           string `json:"updated_at"`
	GroupEnrollmentLink string `json:"group_enrollment_link"`

	Properties json.RawMessage `json:"properties,omitempty"`
}

type groupLinks struct {
	Self        jsonapi.Link `json:"self"`
	Teaching    jsonapi.Link `json:"teaching"`
	Memberships string       `json:"memberships"`
}

func (s *server) listedGroup(a app.Actor, g group.Summary) jsonapi.Resource {
	return s.groupResource(a, g, &g.MembershipCount)
}

func (s *server) group(a app.Actor, g group.Summary) jsonapi.Resource {
	return s.groupResource(a, g, nil)
}

func (s *server) groupResource(a app.Actor, g group.Summary, membershipCount *int64) jsonapi.Resource {
	id := g.ID.UUID
	return jsonapi.Resource{
		Type: group.Type,
		ID:   id.String(),
		Attributes: groupAttributes{
			Name:                g.Name,
			MembershipCount:     membershipCount,
			CreatedAt:           timestamp(g.CreatedAt),
			UpdatedAt:           timestamp(g.UpdatedAt),
			GroupEnrollmentLink: s.links.groupEnrollment(a.Slug()).around(g.EnrollToken),
			Properties:          documents.Properties(g.Properties, g.Defined),
		},
		Links: groupLinks{
			Self:        jsonapi.Link{Href: s.links.group(s.version, id), Methods: []string{"get", "delete"}},
			Teaching:    jsonapi.Link{Href: s.links.groupTeaching(a.Slug(), id), Methods: []string{"get", "put"}},
			Memberships: s.links.groupMemberships(s.version, id),
		},
	}
}
