package tables

import (
	"time"

	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Enrollment is an enrollment.Enrollment in less memory, because a school has more of them than of
// other records. It is immutable.
type Enrollment struct {
	ID                   enrollment.ID
	Person               person.ID
	Course               course.ID
	createdAt, updatedAt int64 // Unix times in microseconds
	Learner              bool  // whether the role is enrollment.Learner; otherwise it is enrollment.Manager
}

// NewEnrollment returns the stored form of e.
func NewEnrollment(e enrollment.Enrollment) *Enrollment {
	return &Enrollment{e.ID, e.Person, e.Course, e.CreatedAt.UnixMicro(), e.UpdatedAt.UnixMicro(), e.Role == enrollment.Learner}
}

// State returns the enrollment.
func (e *Enrollment) State() enrollment.Enrollment {
	return enrollment.Enrollment{
		ID: e.ID, Person: e.Person, Course: e.Course, Role: e.Role(),
		CreatedAt: e.CreatedAt(), UpdatedAt: time.UnixMicro(e.updatedAt).UTC(),
	}
}

// Role returns the role of the person in the course.
func (e *Enrollment) Role() enrollment.Role {
	if e.Learner {
		return enrollment.Learner
	}
	return enrollment.Manager
}

// CreatedAt returns the time of the creation.
func (e *Enrollment) CreatedAt() time.Time { return time.UnixMicro(e.createdAt).UTC() }
