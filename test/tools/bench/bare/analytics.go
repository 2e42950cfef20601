package main

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

type courseProgressRow struct {
	Person        uuid.UUID  `db:"person_id"`
	Course        uuid.UUID  `db:"course_id"`
	Attempt       *uuid.UUID `db:"attempt_id"`
	EnrolledAt    time.Time  `db:"enrolled_at"`
	LastCompleted *time.Time `db:"last_completed_at"`
	Progress      int64      `db:"progress"` // hundredths of a percent
}

type courseProgressAttributes struct {
	EnrolledAt    string  `json:"enrolled_at"`
	LastCompleted *string `json:"last_activity_completed_at"`
	Progress      float64 `json:"progress"`
}

type courseProgressRelationships struct {
	Course  toOne  `json:"course"`
	Attempt *toOne `json:"course_attempt,omitempty"`
	Person  toOne  `json:"person"`
}

type courseProgress = resource[courseProgressAttributes, courseProgressRelationships, none]

const fromStandings = `
	SELECT s.person_id, s.course_id, a.id AS attempt_id, s.enrolled_at, a.last_completed_at, coalesce(a.progress, 0) AS progress
	FROM course_analytics_rows s LEFT JOIN course_attempts a ON a.school_id = s.school_id AND a.id = s.attempt_or_none
	WHERE s.school_id = $1`

func (b *bare) courseAnalytics(ctx context.Context, on gin.IRoutes) error {
	newest := ` ORDER BY s.enrolled_at DESC, s.person_id, s.course_id, s.attempt_or_none LIMIT 26`
	return list[courseProgressRow, courseProgress]{
		path: "/v1/analytics/courses", first: fromStandings + newest, any: fromStandings + newest + ` OFFSET $2`,
		filters: map[string]string{
			"filter[course.id][eq]": fromStandings + ` AND s.course_id = $2` + newest,
			"filter[person.id][eq]": fromStandings + ` AND s.person_id = $2` + newest,
		},
		show: courseProgressOf,
	}.add(ctx, b, on)
}

func courseProgressOf(r courseProgressRow) courseProgress {
	related := courseProgressRelationships{Course: toOneOf("courses", r.Course), Person: toOneOf("people", r.Person)}
	attempt := uuid.Nil
	if r.Attempt != nil {
		attempt = *r.Attempt
		to := toOneOf("course_attempts", attempt)
		related.Attempt = &to
	}
	return courseProgress{
		Type: "course_analytics", ID: fmt.Sprintf("%s:%s:%s", r.Person, r.Course, attempt),
		Attributes:    courseProgressAttributes{instant(r.EnrolledAt), optionalInstant(r.LastCompleted), float64(r.Progress) / 100},
		Relationships: related,
	}
}
