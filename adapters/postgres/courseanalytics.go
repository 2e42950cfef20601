package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

type courseAnalyticsRow struct {
	Person          uuid.UUID  `db:"person_id"`
	Course          uuid.UUID  `db:"course_id"`
	Attempt         uuid.UUID  `db:"attempt_or_none"`
	EnrolledAt      time.Time  `db:"enrolled_at"`
	LastCompletedAt *time.Time `db:"last_completed_at"`
	Progress        int64      `db:"progress"`
}

func (r courseAnalyticsRow) row() (analytics.CourseRow, error) {
	return analytics.CourseRow{
		Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, Attempt: attempt.ID{UUID: r.Attempt},
		EnrolledAt: r.EnrolledAt.UTC(), LastActivityCompletedAt: pgdb.Utc(r.LastCompletedAt),
		Progress: decimal.Percent(r.Progress),
	}, nil
}

var courseAnalyticsKey = []string{"r.person_id", "r.course_id", "r.attempt_or_none"}

// courseAnalyticsList reads a view of the standings, which the database keeps in
// step with enrollments and attempts, and of what the attempts have come to.
var courseAnalyticsList = listsql.List[courseAnalyticsRow, analytics.CourseRow]{
	Table:   "course_analytics",
	Columns: `r.person_id, r.course_id, r.attempt_or_none, r.enrolled_at, r.last_completed_at, r.progress`,
	Key:     courseAnalyticsKey,
	Joins:   []*listsql.Join{ofPerson, ofCourse},
	Attrs: columns(ofLearner, map[string]listsql.Column{
		"uuid":                       listsql.Joined(courseAnalyticsKey),
		"enrolled_at":                {Expr: "r.enrolled_at"},
		"last_activity_completed_at": {Expr: "r.last_completed_at"},
		"progress":                   listsql.InUnits(listsql.Units{Expr: "r.attempt_progress", ToOne: 100, Zero: true}),
		"course_attempt.id":          {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.CourseSchema.Default(),
	Convert: courseAnalyticsRow.row,
	Removal: ofRemovedCourse,
}

type courseAnalyticsReader struct{ *session }

// List returns a page of how far learners have come in their courses.
func (c courseAnalyticsReader) List(ctx context.Context, q query.Query) (query.Result[analytics.CourseRow], error) {
	return courseAnalyticsList.Page(ctx, c.session, q)
}
