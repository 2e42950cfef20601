// Package membership defines a person's role in a group, as member or as manager.
package membership

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
)

// Type is the resource type of memberships in documents and faults.
const Type = "memberships"

// ID identifies a membership.
type ID struct{ uuid.UUID }

// Membership is a person's role in a group. A person has each role in a group at most once, which
// the store enforces.
type Membership struct {
	ID                   ID
	Person               person.ID
	Group                group.ID
	Role                 Role
	CreatedAt, UpdatedAt time.Time
}

// Role is what a person does in a group.
type Role struct{ name string }

// The roles of a membership. A manager is not a member and is not enrolled in the group's courses.
var (
	Member  = Role{"member"}
	Manager = Role{"manager"}
)

// Roles returns all roles.
func Roles() []Role { return []Role{Member, Manager} }

// ParseRole returns the role with the given name.
func ParseRole(name string) (Role, error) {
	for _, r := range Roles() {
		if r.name == name {
			return r, nil
		}
	}
	return Role{}, fault.Invalidf("role", "must be one of: member, manager")
}

// String returns the role's name.
func (r Role) String() string { return r.name }
