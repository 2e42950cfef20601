package policy

import (
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Enrolling is the decision to give a person a role in a course that the person does not have yet,
// directly or through a group.
type Enrolling struct {
	Person   person.State
	Course   course.State
	Role     enrollment.Role
	Learners int64 // existing enrollments as learner
}

// enrolling is the rules on enrolling a person in a course.
var enrolling = Rules[Enrolling]{}

// Unenrolling is the decision to remove a person's role in a course. Deleting the person or the
// course is not one.
type Unenrolling struct {
	Person person.State
	Course course.State
	Role   enrollment.Role
}

// unenrolling is the rules on removing a person from a course.
var unenrolling = Rules[Unenrolling]{}
