package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
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
		Completion: attempt.Completion{
			Attempt: attempt.ID{UUID: r.Attempt}, Activity: activity.ID{UUID: r.Activity}, At: r.CompletedAt.UTC(),
		},
		Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, CourseNumber: r.CourseNumber,
	}, nil
}

var completionKey = []string{"r.attempt_id", "r.activity_id"}

var completionList = listsql.List[completionRow, analytics.Completion]{
	Table:   "completions",
	Columns: `r.attempt_id, r.activity_id, r.completed_at, r.person_id, r.course_id, r.course_number`,
	Key:     completionKey,
	Joins:   []*listsql.Join{ofPerson, ofCourse, ofActivity},
	Attrs: columns(ofLearner, inActivity, map[string]listsql.Column{
		"uuid":                  listsql.Joined(completionKey),
		"created_at":            {Expr: "r.completed_at"},
		"updated_at":            {Expr: "r.completed_at"},
		"course_attempt_number": {Expr: "r.course_number"},
		"course_attempt.id":     {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.CompletionSchema.Default(),
	Convert: completionRow.completion,
	Removal: ofRemovedCourse,
}

type completionReader struct{ *session }

// List returns a page of what learners have completed.
func (c completionReader) List(ctx context.Context, q query.Query) (query.Result[analytics.Completion], error) {
	return completionList.Page(ctx, c.session, q)
}
