package policy

import (
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Enrolling is the decision to give a person a new role in a course, directly or through a group.
type Enrolling struct {
	Person   person.State
	Course   course.State
	Role     enrollment.Role
	Learners int64 // existing enrollments as learner
}

var enrolling = Rules[Enrolling]{}

// Unenrolling is the decision to remove a person's role in a course. It is not asked when the
// person or the course is deleted.
type Unenrolling struct {
	Person person.State
	Course course.State
	Role   enrollment.Role
}

var unenrolling = Rules[Unenrolling]{}
