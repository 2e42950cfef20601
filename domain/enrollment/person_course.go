package enrollment

import (
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// PersonCourse identifies a person and a course. The person need not be enrolled in the course.
type PersonCourse struct {
	Person person.ID
	Course course.ID
}

// PersonCourse returns the person and the course of the enrollment.
func (e Enrollment) PersonCourse() PersonCourse { return PersonCourse{e.Person, e.Course} }
