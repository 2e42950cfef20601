package httpapi

import (
	"encoding/json"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

func (s *server) listQuizAttempts() handler {
	return list(s, lists.Listing[analytics.QuizAttempt]{
		Schema: analytics.QuizAttemptSchema, List: s.app.Analytics.QuizAttempts, ToResource: quizAttempt,
	})
}

type quizAttemptAttributes struct {
	CreatedAt           string      `json:"created_at"`
	UpdatedAt           string      `json:"updated_at"`
	Number              int         `json:"number"`
	CourseAttemptNumber int         `json:"course_attempt_number"`
	PercentCorrect      json.Number `json:"percent_correct"`
	Progress            json.Number `json:"progress"`
	QuestionsCompleted  string      `json:"questions_completed"`
}

type quizAttemptRelationships struct {
	Person        jsonapi.ToOne `json:"person"`
	Course        jsonapi.ToOne `json:"course"`
	CourseAttempt jsonapi.ToOne `json:"course_attempt"`
	Quiz          jsonapi.ToOne `json:"quiz"`
	Activity      jsonapi.ToOne `json:"activity"`
}

func quizAttempt(_ app.Actor, r analytics.QuizAttempt) jsonapi.Resource {
	return jsonapi.Resource{
		Type: analytics.QuizAttemptType,
		ID:   r.ID.String(),
		Attributes: quizAttemptAttributes{
			CreatedAt: timestamp(r.StartedAt), UpdatedAt: timestamp(r.Score.LastAnsweredAt), Number: r.Number,
			CourseAttemptNumber: r.CourseAttemptNumber, PercentCorrect: json.Number(r.Score.PercentCorrect().String()),
			Progress: json.Number(r.Score.Progress().String()), QuestionsCompleted: r.Score.AnsweredOfTotal(),
		},
		Relationships: quizAttemptRelationships{
			Person:        jsonapi.One(person.Type, r.Person.String()),
			Course:        jsonapi.One(course.Type, r.Course.String()),
			CourseAttempt: jsonapi.One(attempt.Type, r.CourseAttempt.String()),
			Quiz:          jsonapi.One(quiz.Type, r.Quiz.String()),
			Activity:      jsonapi.One(activity.Type, r.Activity.String()),
		},
	}
}
