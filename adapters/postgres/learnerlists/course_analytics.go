package learnerlists

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/person"
)

type courseAnalyticsRow struct {
	Person          uuid.UUID  `db:"person_id"`
	Course          uuid.UUID  `db:"course_id"`
	Attempt         uuid.UUID  `db:"attempt_or_none"`
	EnrolledAt      time.Time  `db:"enrolled_at"`
	LastCompletedAt *time.Time `db:"last_completed_at"`
	Progress        int64      `db:"progress"`
}

func (r courseAnalyticsRow) row() (analytics.CourseProgress, error) {
	return analytics.CourseProgress{
		Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, Attempt: attempt.ID{UUID: r.Attempt},
		EnrolledAt: r.EnrolledAt.UTC(), LastActivityCompletedAt: pgdb.UTC(r.LastCompletedAt),
		Progress: decimal.Percent(r.Progress),
	}, nil
}

var courseAnalyticsKey = []string{"r.person_id", "r.course_id", "r.attempt_or_none"}

// CourseAnalytics is the list of the progress of learners in courses. It reads a view of
// course_analytics_rows, which triggers keep consistent with enrollments and attempts, joined with
// the progress of the attempts.
var CourseAnalytics = listsql.New(listsql.Definition{
	Table:   "course_analytics",
	Columns: listsql.RowColumns[courseAnalyticsRow](),
	Key:     courseAnalyticsKey,
	Joins:   []*listsql.Join{JoinPerson, JoinCourse},
	Attrs: Columns(LearnerAttrs, map[string]listsql.Column{
		"uuid":                       listsql.Joined(courseAnalyticsKey),
		"enrolled_at":                {Expr: "r.enrolled_at"},
		"last_activity_completed_at": {Expr: "r.last_completed_at"},
		"progress":                   listsql.InUnits(listsql.Units{Expr: "r.attempt_progress", ToOne: 100, Zero: true}),
		"course_attempt.id":          {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.CourseSchema.Default(),
	Removal: listsql.HideRemovedCourses,
}, courseAnalyticsRow.row)
