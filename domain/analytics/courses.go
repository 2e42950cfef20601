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

// CourseType is the plural noun of CourseRow.
const CourseType = "course_analytics"

// CourseRow is how far a learner has come in a course: a row for each attempt of
// everyone who is enrolled as learner, and one without an attempt for who has
// none.
type CourseRow struct {
	Person                  person.ID
	Course                  course.ID
	Attempt                 attempt.ID // zero when there is none
	EnrolledAt              time.Time
	LastActivityCompletedAt *time.Time
	Progress                decimal.Percent
	PersonName, PersonEmail string
	CourseName              string
}

// Key returns the row's id: person, course and attempt, joined by colons.
func (r CourseRow) Key() string {
	return r.Person.String() + ":" + r.Course.String() + ":" + r.Attempt.String()
}

// CourseSchema is what the list can be filtered, searched and sorted by.
var CourseSchema = query.Define(
	query.CompositeField("uuid", 3, func(r *CourseRow) string { return r.Key() }),
	query.TimeField("enrolled_at", func(r *CourseRow) time.Time { return r.EnrolledAt }),
	query.OptionalTime("last_activity_completed_at", func(r *CourseRow) *time.Time { return r.LastActivityCompletedAt }),
	query.OptionalNumber("progress", func(r *CourseRow) *big.Rat { return r.Progress.Rat() }),
	query.UUIDField("course.id", func(r *CourseRow) uuid.UUID { return r.Course.UUID }),
	query.OptionalUUID("course_attempt.id", func(r *CourseRow) *uuid.UUID {
		if r.Attempt.UUID == uuid.Nil {
			return nil
		}
		return &r.Attempt.UUID
	}),
	query.UUIDField("person.id", func(r *CourseRow) uuid.UUID { return r.Person.UUID }),
	query.TextField("person_name", func(r *CourseRow) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *CourseRow) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *CourseRow) string { return r.CourseName }).Searched().Hidden(),
).OrderBy("-enrolled_at")
