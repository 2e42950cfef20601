package membership

import (
	"time"

	"lyceum/domain/group"
	"lyceum/domain/person"
)

// Join returns the membership of p in g as role, or the fault of the rule that
// forbids it. It is the one place where rules on who may join a group stand.
func Join(id ID, p person.Person, g group.Group, role Role, now time.Time) (Membership, error) {
	return Membership{
		ID: id, Person: p.State().ID, Group: g.State().ID, Role: role, CreatedAt: now, UpdatedAt: now,
	}, nil
}

// Enrolls tells whether a place in a group as role brings a place as learner in
// each of the group's courses, on joining and when a course is added later. A
// place in a course stays when the place in the group ends: progress is never
// lost by a change of groups.
func (r Role) Enrolls() bool { return r == Member }
