package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/group"
)

func (s *server) listGroups() handler {
	return list(s, listing[group.Summary]{
		schema: s.links.groupSchema(), list: s.app.Groups.List, toResource: s.listedGroup,
	})
}

func (s *server) createGroup(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, group.Type)
	if err != nil {
		return err
	}
	name := d.NewText("name")
	made, err := try(d.Faults, a, func(a app.Actor) (group.Summary, error) {
		return s.app.Groups.Create(c.Request.Context(), a, name)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.group(s.version, made.ID.UUID), s.group(a, made))
}

func (s *server) updateGroup(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readChange(c, id, group.Type)
	if err != nil {
		return err
	}
	change := app.GroupChange{Name: d.Text("name")}
	changed, err := try(d.Faults, a, func(a app.Actor) (group.Summary, error) {
		return s.app.Groups.Update(c.Request.Context(), a, group.ID{UUID: id}, change)
	})
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.group(a, changed)})
}

type groupAttributes struct {
	Name                string `json:"name"`
	MembershipCount     *int64 `json:"membership_count,omitempty"` // nil outside lists
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
