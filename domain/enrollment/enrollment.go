// Package enrollment defines a person's role in a course, as learner or as manager.
package enrollment

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

// ID identifies an enrollment.
type ID struct{ uuid.UUID }

// Enrollment is a person's role in a course. A person has each role in a course at most once, which
// the store enforces.
type Enrollment struct {
	ID                   ID
	Person               person.ID
	Course               course.ID
	Role                 Role
	CreatedAt, UpdatedAt time.Time
}

// Role is what a person does in a course.
type Role struct{ name string }

// The roles of an enrollment.
var (
	Learner = Role{"learner"}
	Manager = Role{"manager"}
)

// Roles returns all roles.
func Roles() []Role { return []Role{Learner, Manager} }

// ParseRole returns the role with the given name.
func ParseRole(name string) (Role, error) {
	for _, r := range Roles() {
		if r.name == name {
			return r, nil
		}
	}
	return Role{}, fault.Invalidf("role", "must be one of: learner, manager")
}

// String returns the role's name.
func (r Role) String() string { return r.name }
