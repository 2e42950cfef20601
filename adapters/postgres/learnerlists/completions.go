package learnerlists

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// CompletionRow is a row of the table completions.
type CompletionRow struct {
	Attempt      uuid.UUID `db:"attempt_id"`
	Activity     uuid.UUID `db:"activity_id"`
	CompletedAt  time.Time `db:"completed_at"`
	Person       uuid.UUID `db:"person_id"`
	Course       uuid.UUID `db:"course_id"`
	CourseNumber int       `db:"course_number"`
}

func (r CompletionRow) completion() (analytics.Completion, error) {
	return analytics.Completion{
		Completion: r.State(), Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, CourseAttemptNumber: r.CourseNumber,
	}, nil
}

// State returns the completion without its person and course.
func (r CompletionRow) State() attempt.Completion {
	return attempt.Completion{
		Attempt: attempt.ID{UUID: r.Attempt}, Activity: activity.ID{UUID: r.Activity}, At: r.CompletedAt.UTC(),
	}
}

var completionKey = []string{"r.attempt_id", "r.activity_id"}

// Completions is the list of completions.
var Completions = listsql.New(listsql.Definition{
	Table:   "completions",
	Columns: listsql.RowColumns[CompletionRow](),
	Key:     completionKey,
	Joins:   []*listsql.Join{JoinPerson, JoinCourse, JoinActivity},
	Attrs: Columns(LearnerAttrs, ActivityAttrs, map[string]listsql.Column{
		"uuid":                  listsql.Joined(completionKey),
		"created_at":            {Expr: "r.completed_at"},
		"updated_at":            {Expr: "r.completed_at"},
		"course_attempt_number": {Expr: "r.course_number"},
		"course_attempt.id":     {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.CompletionSchema.Default(),
	Removal: listsql.HideRemovedCourses,
}, CompletionRow.completion)
