package analytics

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// CompletionType is the plural noun of Completion.
const CompletionType = "activity_completions"

// Completion is the fact that a person has completed an activity in an attempt at
// a course, with the names of all that it belongs to. It never changes.
type Completion struct {
	attempt.Completion
	Person                  person.ID
	Course                  course.ID
	CourseNumber            int // of the course attempt
	PersonName, PersonEmail string
	CourseName              string
	ActivityTitle           string
}

// Key returns the row's id: course attempt and activity, joined by a colon.
func (r Completion) Key() string { return r.Attempt.String() + ":" + r.Activity.String() }

// CompletionSchema is what the list can be filtered, searched and sorted by.
var CompletionSchema = query.Define(
	query.CompositeField("uuid", 2, func(r *Completion) string { return r.Key() }),
	query.TimeField("created_at", func(r *Completion) time.Time { return r.At }),
	query.TimeField("updated_at", func(r *Completion) time.Time { return r.At }),
	query.IntegerField("course_attempt_number", func(r *Completion) int64 { return int64(r.CourseNumber) }),
	query.UUIDField("person.id", func(r *Completion) uuid.UUID { return r.Person.UUID }),
	query.UUIDField("activity.id", func(r *Completion) uuid.UUID { return r.Activity.UUID }),
	query.UUIDField("course.id", func(r *Completion) uuid.UUID { return r.Course.UUID }),
	query.UUIDField("course_attempt.id", func(r *Completion) uuid.UUID { return r.Attempt.UUID }),
	query.TextField("person_name", func(r *Completion) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *Completion) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *Completion) string { return r.CourseName }).Searched().Hidden(),
	query.TextField("activity_title", func(r *Completion) string { return r.ActivityTitle }).Searched().Hidden(),
).OrderBy("-created_at")
