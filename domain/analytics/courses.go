package analytics

import (
	"math/big"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// CourseType is the resource type of a CourseProgress.
const CourseType = "course_analytics"

// CourseProgress is the progress of a learner in a course. Each learner of a course has one row for
// each attempt, or a single row without an attempt if there is no attempt yet.
type CourseProgress struct {
	Person                  person.ID
	Course                  course.ID
	Attempt                 attempt.ID // zero: none
	EnrolledAt              time.Time
	LastActivityCompletedAt *time.Time
	Progress                decimal.Percent
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail string
	CourseName              string
}

// Key returns the row's id: the ids of the person, the course and the attempt, joined by colons.
func (r CourseProgress) Key() string {
	return r.Person.String() + ":" + r.Course.String() + ":" + r.Attempt.String()
}

// CourseSchema defines the attributes by which lists of progress in courses are filtered, searched
// and sorted.
var CourseSchema = query.Define(
	query.CompositeField("uuid", 3, func(r *CourseProgress) string { return r.Key() }),
	query.TimeField("enrolled_at", func(r *CourseProgress) time.Time { return r.EnrolledAt }),
	query.OptionalTime("last_activity_completed_at", func(r *CourseProgress) *time.Time { return r.LastActivityCompletedAt }),
	query.OptionalNumber("progress", func(r *CourseProgress) *big.Rat { return r.Progress.Rat() }),
	query.UUIDField("course.id", func(r *CourseProgress) uuid.UUID { return r.Course.UUID }),
	query.OptionalUUID("course_attempt.id", func(r *CourseProgress) *uuid.UUID {
		if r.Attempt.UUID == uuid.Nil {
			return nil
		}
		return &r.Attempt.UUID
	}),
	query.UUIDField("person.id", func(r *CourseProgress) uuid.UUID { return r.Person.UUID }),
	query.TextField("person_name", func(r *CourseProgress) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *CourseProgress) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *CourseProgress) string { return r.CourseName }).Searched().Hidden(),
).OrderBy("-enrolled_at")
