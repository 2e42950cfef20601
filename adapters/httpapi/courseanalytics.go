package httpapi

import (
	"encoding/json"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

func (s *server) listCourseAnalytics() handler {
	return list(s, listing[analytics.CourseRow]{
		schema: analytics.CourseSchema, list: s.app.Analytics.Courses, toResource: courseRow,
	})
}

type courseRowAttributes struct {
	EnrolledAt              string      `json:"enrolled_at"`
	LastActivityCompletedAt *string     `json:"last_activity_completed_at"`
	Progress                json.Number `json:"progress"`
}

type courseRowRelationships struct {
	Course        jsonapi.ToOne  `json:"course"`
	CourseAttempt *jsonapi.ToOne `json:"course_attempt,omitempty"` // nil: there is none yet
	Person        jsonapi.ToOne  `json:"person"`
}

func courseRow(_ app.Actor, r analytics.CourseRow) jsonapi.Resource {
	relationships := courseRowRelationships{
		Course: jsonapi.One(course.Type, r.Course.String()),
		Person: jsonapi.One(person.Type, r.Person.String()),
	}
	if r.Attempt.UUID != uuid.Nil {
		begun := jsonapi.One(attempt.Type, r.Attempt.String())
		relationships.CourseAttempt = &begun
	}
	return jsonapi.Resource{
		Type: analytics.CourseType,
		ID:   r.Key(),
		Attributes: courseRowAttributes{
			EnrolledAt:              timestamp(r.EnrolledAt),
			LastActivityCompletedAt: optionalTimestamp(r.LastActivityCompletedAt),
			Progress:                json.Number(r.Progress.String()),
		},
		Relationships: relationships,
	}
}
