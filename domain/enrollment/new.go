package enrollment

import (
	"time"

	"lyceum/domain/course"
	"lyceum/domain/person"
)

// New returns the enrollment of p in c with the given role. Package policy decides whether p may be
// enrolled.
func New(id ID, p person.Person, c course.Course, role Role, now time.Time) Enrollment {
	return Enrollment{
		ID: id, Person: p.State().ID, Course: c.State().ID, Role: role, CreatedAt: now, UpdatedAt: now,
	}
}
