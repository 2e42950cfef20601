package person

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// PartnershipType is the plural noun by which documents and faults name
// partnerships.
const PartnershipType = "partnerships"

// PartnershipID identifies a partnership.
type PartnershipID struct{ uuid.UUID }

// Partnership is a person's part in running the school. A person has each role
// at most once.
type Partnership struct {
	ID        PartnershipID
	Person    ID
	Role      Role
	CreatedAt time.Time
}

// NewPartnership returns the part in running the school that a person gets as
// role, which must be given.
func NewPartnership(id PartnershipID, of ID, role Role, now time.Time) (Partnership, error) {
	if role == (Role{}) {
		return Partnership{}, fault.Blank("role")
	}
	return Partnership{ID: id, Person: of, Role: role, CreatedAt: now}, nil
}

// CheckRemoval says whether the partnership may end when the school has so many
// owners: the last of them stays.
func (p Partnership) CheckRemoval(owners int) error {
	if p.Role == Owner && owners <= 1 {
		return fault.Forbiddenf("The last owner of the school cannot be removed")
	}
	return nil
}

// Role is what a partner does for the school.
type Role struct{ name string }

// The roles of a partnership.
var (
	Owner      = Role{"owner"}
	Manager    = Role{"manager"}
	Instructor = Role{"instructor"}
)

// ParseRole returns the role called name.
func ParseRole(name string) (Role, error) {
	for _, r := range []Role{Owner, Manager, Instructor} {
		if r.name == name {
			return r, nil
		}
	}
	return Role{}, fault.Invalidf("role", "is not one of owner, manager, instructor")
}

// String returns the role's name.
func (r Role) String() string { return r.name }
