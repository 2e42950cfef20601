package httpapi

import (
	"encoding/json"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

func (s *server) listCourseAnalytics() handler {
	return list(s, lists.Listing[analytics.CourseProgress]{
		Schema: analytics.CourseSchema, List: s.app.Analytics.Courses, ToResource: courseProgress,
	})
}

type courseProgressAttributes struct {
	EnrolledAt              string      `json:"enrolled_at"`
	LastActivityCompletedAt *string     `json:"last_activity_completed_at"`
	Progress                json.Number `json:"progress"`
}

type courseProgressRelationships struct {
	Course        jsonapi.ToOne  `json:"course"`
	CourseAttempt *jsonapi.ToOne `json:"course_attempt,omitempty"` // nil: no attempt
	Person        jsonapi.ToOne  `json:"person"`
}

func courseProgress(_ app.Actor, r analytics.CourseProgress) jsonapi.Resource {
	relationships := courseProgressRelationships{
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
		Attributes: courseProgressAttributes{
			EnrolledAt:              timestamp(r.EnrolledAt),
			LastActivityCompletedAt: optionalTimestamp(r.LastActivityCompletedAt),
			Progress:                json.Number(r.Progress.String()),
		},
		Relationships: relationships,
	}
}
