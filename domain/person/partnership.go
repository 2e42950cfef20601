package person

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

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
