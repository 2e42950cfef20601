package httpapi

import (
	"encoding/json"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

// startCourseAttempt starts the first or next attempt of a person at the course in the path.
func (s *server) startCourseAttempt(c *gin.Context, a app.Actor) error {
	d, err := s.readRecord(c, attempt.Type)
	if err != nil {
		return err
	}
	learner := request.ToOne[person.ID](d, "person", person.Type)
	begun, err := collectFaults(d.Faults, a, func(a app.Actor) (attempt.Attempt, error) {
		begun, err := s.app.Learning.StartCourseAttempt(c.Request.Context(), a, c.Param("id"), learner)
		if !fault.Is(err, fault.NotFound) {
			err = fault.AtBlank("person", err) // the path identifies the course, so the fault is about the person
		}
		return begun, err
	})
	if err != nil {
		return err
	}
	return s.WriteCreated(c, s.links.courseAttempt(begun.State().ID.UUID), jsonapi.Single{Data: courseAttempt(begun.State())})
}

type courseAttemptAttributes struct {
	CreatedAt               string      `json:"created_at"`
	Number                  int         `json:"number"`
	Progress                json.Number `json:"progress"`
	LastActivityCompletedAt *string     `json:"last_activity_completed_at"`
}

type courseAttemptRelationships struct {
	Person jsonapi.ToOne `json:"person"`
	Course jsonapi.ToOne `json:"course"`
}

func courseAttempt(s attempt.State) jsonapi.Resource {
	return jsonapi.Resource{
		Type: attempt.Type,
		ID:   s.ID.String(),
		Attributes: courseAttemptAttributes{
			CreatedAt: timestamp(s.StartedAt), Number: s.Number, Progress: json.Number(s.Progress.String()),
			LastActivityCompletedAt: optionalTimestamp(s.LastCompletedAt),
		},
		Relationships: courseAttemptRelationships{
			Person: jsonapi.One(person.Type, s.Person.String()),
			Course: jsonapi.One(course.Type, s.Course.String()),
		},
	}
}
