package person

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// PartnershipType is the resource type of partnerships in documents and faults.
const PartnershipType = "partnerships"

// PartnershipID identifies a partnership.
type PartnershipID struct{ uuid.UUID }

// Partnership is a person's staff role in running the school. A person has each role at most once.
type Partnership struct {
	ID        PartnershipID
	Person    ID
	Role      Role
	CreatedAt time.Time
}

// NewPartnership returns the partnership of a person with the given role. A zero role is a fault.
func NewPartnership(id PartnershipID, of ID, role Role, now time.Time) (Partnership, error) {
	if role == (Role{}) {
		return Partnership{}, fault.Blank("role")
	}
	return Partnership{ID: id, Person: of, Role: role, CreatedAt: now}, nil
}

// CheckRemoval returns a fault if the partnership cannot be deleted. owners is the number of owners
// of the school: the last owner cannot be removed.
func (p Partnership) CheckRemoval(owners int) error {
	if p.Role == Owner && owners <= 1 {
		return fault.Forbiddenf("The last owner of the school cannot be removed")
	}
	return nil
}

// Role is what a person with a partnership does for the school.
type Role struct{ name string }

// The roles of a partnership.
var (
	Owner      = Role{"owner"}
	Manager    = Role{"manager"}
	Instructor = Role{"instructor"}
)

// ParseRole returns the role with the given name.
func ParseRole(name string) (Role, error) {
	for _, r := range []Role{Owner, Manager, Instructor} {
		if r.name == name {
			return r, nil
		}
	}
	return Role{}, fault.Invalidf("role", "must be one of: owner, manager, instructor")
}

// String returns the role's name.
func (r Role) String() string { return r.name }
