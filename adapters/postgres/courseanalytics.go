package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
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
		EnrolledAt: r.EnrolledAt.UTC(), LastActivityCompletedAt: utc(r.LastCompletedAt),
		Progress: decimal.Percent(r.Progress),
	}, nil
}

var courseAnalyticsKey = []string{"r.person_id", "r.course_id", "r.attempt_or_none"}

// courseAnalyticsList reads a view of the standings, which the database keeps in
// step with enrollments and attempts, and of what the attempts have come to.
var courseAnalyticsList = listing[courseAnalyticsRow, analytics.CourseRow]{
	table:   "course_analytics",
	columns: `r.person_id, r.course_id, r.attempt_or_none, r.enrolled_at, r.last_completed_at, r.progress`,
	key:     courseAnalyticsKey,
	others:  []*other{ofPerson, ofCourse},
	attrs: columns(ofLearner, map[string]column{
		"uuid":                       joined(courseAnalyticsKey),
		"enrolled_at":                {expr: "r.enrolled_at"},
		"last_activity_completed_at": {expr: "r.last_completed_at"},
		"progress":                   inUnits(units{expr: "r.attempt_progress", toOne: 100, zero: true}),
		"course_attempt.id":          {expr: "r.attempt_id"},
	}),
	sort:    analytics.CourseSchema.Default(),
	convert: courseAnalyticsRow.row,
	removal: ofRemovedCourse,
}

type courseAnalyticsReader struct{ *session }

// List returns a page of how far learners have come in their courses.
func (c courseAnalyticsReader) List(ctx context.Context, q query.Query) (query.Result[analytics.CourseRow], error) {
	return courseAnalyticsList.page(ctx, c.session, q)
}
