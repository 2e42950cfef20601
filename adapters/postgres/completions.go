package postgres

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

type completionRow struct {
	Attempt      uuid.UUID `db:"attempt_id"`
	Activity     uuid.UUID `db:"activity_id"`
	CompletedAt  time.Time `db:"completed_at"`
	Person       uuid.UUID `db:"person_id"`
	Course       uuid.UUID `db:"course_id"`
	CourseNumber int       `db:"course_number"`
}

func (r completionRow) completion() (analytics.Completion, error) {
	return analytics.Completion{
		Completion: r.state(), Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, CourseAttemptNumber: r.CourseNumber,
	}, nil
}

func (r completionRow) state() attempt.Completion {
	return attempt.Completion{
		Attempt: attempt.ID{UUID: r.Attempt}, Activity: activity.ID{UUID: r.Activity}, At: r.CompletedAt.UTC(),
	}
}

var completionKey = []string{"r.attempt_id", "r.activity_id"}

var completionList = listsql.New(listsql.Definition{
	Table:   "completions",
	Columns: rowColumns[completionRow](),
	Key:     completionKey,
	Joins:   []*listsql.Join{joinPerson, joinCourse, joinActivity},
	Attrs: columns(learnerAttrs, activityAttrs, map[string]listsql.Column{
		"uuid":                  listsql.Joined(completionKey),
		"created_at":            {Expr: "r.completed_at"},
		"updated_at":            {Expr: "r.completed_at"},
		"course_attempt_number": {Expr: "r.course_number"},
		"course_attempt.id":     {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.CompletionSchema.Default(),
	Removal: hideRemovedCourses,
}, completionRow.completion)

type completionReader = lister[completionRow, analytics.Completion]
