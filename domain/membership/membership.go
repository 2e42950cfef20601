// Package membership is a person's place in a group, as member or as manager.
package membership

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
)

// Type is the plural noun by which documents and faults name memberships.
const Type = "memberships"

// ID identifies a membership.
type ID struct{ uuid.UUID }

// Membership is a person's place in a group; a person has each role in a group
// at most once, which the store guards.
type Membership struct {
	ID                   ID
	Person               person.ID
	Group                group.ID
	Role                 Role
	CreatedAt, UpdatedAt time.Time
}

// Role is what a person does in a group.
type Role struct{ name string }

// The roles of a membership. A manager is no member: managing enrolls in nothing.
var (
	Member  = Role{"member"}
	Manager = Role{"manager"}
)

// Roles returns every role.
func Roles() []Role { return []Role{Member, Manager} }

// ParseRole returns the role called name.
func ParseRole(name string) (Role, error) {
	for _, r := range Roles() {
		if r.name == name {
			return r, nil
		}
	}
	return Role{}, fault.Invalidf("role", "is not one of member, manager")
}

// String returns the role's name.
func (r Role) String() string { return r.name }
