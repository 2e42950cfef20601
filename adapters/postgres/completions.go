package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
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

var completionList = listing[completionRow, analytics.Completion]{
	table:   "completions",
	columns: `r.attempt_id, r.activity_id, r.completed_at, r.person_id, r.course_id, r.course_number`,
	key:     completionKey,
	others:  []*other{ofPerson, ofCourse, ofActivity},
	attrs: columns(ofLearner, inActivity, map[string]column{
		"uuid":                  joined(completionKey),
		"created_at":            {expr: "r.completed_at"},
		"updated_at":            {expr: "r.completed_at"},
		"course_attempt_number": {expr: "r.course_number"},
		"course_attempt.id":     {expr: "r.attempt_id"},
	}),
	sort:    analytics.CompletionSchema.Default(),
	convert: completionRow.completion,
	removal: ofRemovedCourse,
}

type completionReader struct{ *session }

// List returns a page of what learners have completed.
func (c completionReader) List(ctx context.Context, q query.Query) (query.Result[analytics.Completion], error) {
	return completionList.page(ctx, c.session, q)
}
