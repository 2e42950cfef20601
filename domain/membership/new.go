package membership

import (
	"time"

	"lyceum/domain/group"
	"lyceum/domain/person"
)

// New returns the membership of p in g with the given role. Package policy decides whether p may
// join.
func New(id ID, p person.Person, g group.Group, role Role, now time.Time) Membership {
	return Membership{
		ID: id, Person: p.State().ID, Group: g.State().ID, Role: role, CreatedAt: now, UpdatedAt: now,
	}
}

// Enrolls reports whether a membership with this role also enrolls the person as a learner in the
// group's courses, both on joining and when a course is added later. Enrollments outlive the
// membership, so that a change of groups loses no progress.
func (r Role) Enrolls() bool { return r == Member }
