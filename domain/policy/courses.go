package policy

import (
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Enrolling is the decision to give a person a role in a course that they do not have
// yet, by itself or because of a group that they join or whose courses grow.
type Enrolling struct {
	Person   person.State
	Course   course.State
	Role     enrollment.Role
	Learners int64 // that the course has already, managers not counted
}

// enrolling is the rules on who is enrolled in a course.
var enrolling = Rules[Enrolling]{}

// Unenrolling is the decision to take from a person a role that they have in a
// course. The deletion of the person or of the course is no such decision.
type Unenrolling struct {
	Person person.State
	Course course.State
	Role   enrollment.Role
}

// unenrolling is the rules on who is taken out of a course.
var unenrolling = Rules[Unenrolling]{}
