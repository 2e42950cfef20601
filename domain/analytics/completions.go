package analytics

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// CompletionType is the resource type of a Completion.
const CompletionType = "activity_completions"

// Completion is the record that a person completed an activity in a course attempt, together with
// the names of its person, course and activity. It never changes.
type Completion struct {
	attempt.Completion
	Person              person.ID
	Course              course.ID
	CourseAttemptNumber int
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail string
	CourseName              string
	ActivityTitle           string
}

// Key returns the row's id: the ids of the course attempt and the activity, joined by a colon.
func (r Completion) Key() string { return r.Attempt.String() + ":" + r.Activity.String() }

// CompletionSchema defines the attributes by which lists of completions are filtered, searched and
// sorted.
var CompletionSchema = query.Define(
	query.CompositeField("uuid", 2, func(r *Completion) string { return r.Key() }),
	query.TimeField("created_at", func(r *Completion) time.Time { return r.At }),
	query.TimeField("updated_at", func(r *Completion) time.Time { return r.At }),
	query.IntegerField("course_attempt_number", func(r *Completion) int64 { return int64(r.CourseAttemptNumber) }),
	query.UUIDField("person.id", func(r *Completion) uuid.UUID { return r.Person.UUID }),
	query.UUIDField("activity.id", func(r *Completion) uuid.UUID { return r.Activity.UUID }),
	query.UUIDField("course.id", func(r *Completion) uuid.UUID { return r.Course.UUID }),
	query.UUIDField("course_attempt.id", func(r *Completion) uuid.UUID { return r.Attempt.UUID }),
	query.TextField("person_name", func(r *Completion) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *Completion) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *Completion) string { return r.CourseName }).Searched().Hidden(),
	query.TextField("activity_title", func(r *Completion) string { return r.ActivityTitle }).Searched().Hidden(),
).OrderBy("-created_at")
