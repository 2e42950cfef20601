package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/group"
)

func (s *server) listGroups() handler {
	return list(s, listing[group.Summary]{
		schema: s.links.groupSchema(), list: s.app.Groups.List, toResource: s.listedGroup,
	})
}

func (s *server) createGroup() handler {
	return createHandler(s, creation[string, group.Summary]{
		types: []string{group.Type}, read: newName, create: s.app.Groups.Create,
		url:        func(made group.Summary) string { return s.links.group(s.version, made.ID.UUID) },
		toResource: s.group,
	})
}

func (s *server) updateGroup() handler {
	read := func(d *request.Document) app.GroupChanges { return app.GroupChanges{Name: d.Text("name")} }
	return updateHandler(s, group.Type, read, s.app.Groups.Update, s.group)
}

type groupAttributes struct {
	Name                string `json:"name"`
	MembershipCount     *int64 `json:"membership_count,omitempty"` // only in lists
	CreatedAt           string `json:"created_at"`
	UpdatedAt           string `json:"updated_at"`
	GroupEnrollmentLink string `json:"group_enrollment_link"`
}

type groupLinks struct {
	Self        jsonapi.Link `json:"self"`
	Teaching    jsonapi.Link `json:"teaching"`
	Memberships string       `json:"memberships"`
}

func (s *server) listedGroup(_ app.Actor, g group.Summary) jsonapi.Resource {
	return s.groupResource(g, &g.MembershipCount)
}

func (s *server) group(_ app.Actor, g group.Summary) jsonapi.Resource {
	return s.groupResource(g, nil)
}

func (s *server) groupResource(g group.Summary, membershipCount *int64) jsonapi.Resource {
	id := g.ID.UUID
	return jsonapi.Resource{
		Type: group.Type,
		ID:   id.String(),
		Attributes: groupAttributes{
			Name:                g.Name,
			MembershipCount:     membershipCount,
			CreatedAt:           timestamp(g.CreatedAt),
			UpdatedAt:           timestamp(g.UpdatedAt),
			GroupEnrollmentLink: s.links.groupEnrollment().around(g.EnrollToken),
		},
		Links: groupLinks{
			Self:        jsonapi.Link{Href: s.links.group(s.version, id), Methods: []string{"get", "delete"}},
			Teaching:    jsonapi.Link{Href: s.links.groupTeaching(id), Methods: []string{"get", "put"}},
			Memberships: s.links.groupMemberships(s.version, id),
		},
	}
}
