package enrollment

import (
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// PersonCourse is a person and a course, with any role or none.
type PersonCourse struct {
	Person person.ID
	Course course.ID
}

// PersonCourse returns the person and the course of the enrollment.
func (e Enrollment) PersonCourse() PersonCourse { return PersonCourse{e.Person, e.Course} }
