package httpapi

import (
	"context"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// The types of resource identifiers in requests about the groups of a person. Each type determines
// a role.
const (
	membershipGroups = "membership-groups"
	managedGroups    = "managed-groups"
)

var groupRoles = map[string]membership.Role{
	membershipGroups: membership.Member,
	managedGroups:    membership.Manager,
}

// changeGroupRoles returns the handler that calls change with the groups and roles in a
// request about a person.
func (s *server) changeGroupRoles(
	change func(ctx context.Context, a app.Actor, id person.ID, roles []app.GroupRole) error,
) handler {
	role := func(named request.Identifier) app.GroupRole {
		return app.GroupRole{Group: group.ID{UUID: named.ID}, Role: groupRoles[named.Type]}
	}
	return relationshipHandler(s, change, role, membershipGroups, managedGroups)
}

func (s *server) listMemberships() handler {
	return listOf(s, s.app.Memberships.ListOf, lists.Listing[membership.Membership]{
		Schema: membership.Schema, ToResource: s.membership,
	})
}

type membershipAttributes struct {
	Role      string `json:"role"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

type membershipRelationships struct {
	Person jsonapi.ToOne `json:"person"`
	Group  jsonapi.ToOne `json:"group"`
}

func (s *server) membership(_ app.Actor, m membership.Membership) jsonapi.Resource {
	return jsonapi.Resource{
		Type: membership.Type,
		ID:   m.ID.String(),
		Attributes: membershipAttributes{
			Role: m.Role.String(), CreatedAt: timestamp(m.CreatedAt), UpdatedAt: timestamp(m.UpdatedAt),
		},
		Relationships: membershipRelationships{
			Person: jsonapi.One(person.Type, m.Person.String()),
			Group:  jsonapi.One(group.Type, m.Group.String()),
		},
		Links: selfLink{Self: s.links.membership(s.version, m.ID.UUID)},
	}
}
