package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

func (s *server) listCompletions() handler {
	return list(s, lists.Listing[analytics.Completion]{
		Schema: analytics.CompletionSchema, List: s.app.Analytics.Completions, ToResource: completion,
	})
}

// completeActivity records that a person has completed the activity in the path. It responds with
// 201, or with 200 if the completion already existed.
func (s *server) completeActivity(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readRecord(c, analytics.CompletionType)
	if err != nil {
		return err
	}
	learner := request.ToOne[person.ID](d, "person", person.Type)
	var fresh bool
	done, err := collectFaults(d.Faults, a, func(a app.Actor) (done analytics.Completion, err error) {
		done, fresh, err = s.app.Learning.CompleteActivity(c.Request.Context(), a, learner, activity.ID{UUID: id})
		return done, err
	})
	if err != nil {
		return err
	}
	document := jsonapi.Single{Data: completion(a, done)}
	if !fresh {
		return s.WriteOK(c, document)
	}
	return s.WriteCreated(c, s.links.completion(done.Key()), document)
}

type completionAttributes struct {
	CreatedAt           string `json:"created_at"`
	UpdatedAt           string `json:"updated_at"`
	CourseAttemptNumber int    `json:"course_attempt_number"`
}

type completionRelationships struct {
	Person        jsonapi.ToOne `json:"person"`
	Activity      jsonapi.ToOne `json:"activity"`
	Course        jsonapi.ToOne `json:"course"`
	CourseAttempt jsonapi.ToOne `json:"course_attempt"`
}

func completion(_ app.Actor, r analytics.Completion) jsonapi.Resource {
	return jsonapi.Resource{
		Type: analytics.CompletionType,
		ID:   r.Key(),
		Attributes: completionAttributes{
			CreatedAt: timestamp(r.At), UpdatedAt: timestamp(r.At), CourseAttemptNumber: r.CourseAttemptNumber,
		},
		Relationships: completionRelationships{
			Person:        jsonapi.One(person.Type, r.Person.String()),
			Activity:      jsonapi.One(activity.Type, r.Activity.String()),
			Course:        jsonapi.One(course.Type, r.Course.String()),
			CourseAttempt: jsonapi.One(attempt.Type, r.Attempt.String()),
		},
	}
}
