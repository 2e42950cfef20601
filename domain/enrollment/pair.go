package enrollment

import (
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// Pair is a person and a course, whatever the one is in the other.
type Pair struct {
	Person person.ID
	Course course.ID
}

// Pair returns whose enrollment it is, and in what.
func (e Enrollment) Pair() Pair { return Pair{e.Person, e.Course} }
