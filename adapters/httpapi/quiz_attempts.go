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

func (s *server) listQuizScores() handler {
	return list(s, lists.Listing[analytics.QuizScore]{
		Schema: analytics.ScoreSchema, List: s.app.Analytics.Scores, ToResource: quizScore,
	})
}

type quizScoreAttributes struct {
	CourseAttemptNumber    int         `json:"course_attempt_number"`
	LastQuestionAnsweredAt string      `json:"last_question_answered_at"`
	PercentCorrect         json.Number `json:"percent_correct"`
	Progress               json.Number `json:"progress"`
	QuestionsCompleted     string      `json:"questions_completed"`
}

type quizScoreRelationships struct {
	Course   jsonapi.ToOne `json:"course"`
	Person   jsonapi.ToOne `json:"person"`
	Quiz     jsonapi.ToOne `json:"quiz"`
	Activity jsonapi.ToOne `json:"activity"`
}

func quizScore(_ app.Actor, r analytics.QuizScore) jsonapi.Resource {
	return jsonapi.Resource{
		Type: analytics.ScoreType,
		ID:   r.ID,
		Attributes: quizScoreAttributes{
			CourseAttemptNumber:    r.CourseAttemptNumber,
			LastQuestionAnsweredAt: timestamp(r.Score.LastAnsweredAt),
			PercentCorrect:         json.Number(r.Score.PercentCorrect().String()),
			Progress:               json.Number(r.Score.Progress().String()),
			QuestionsCompleted:     r.Score.AnsweredOfTotal(),
		},
		Relationships: quizScoreRelationships{
			Course:   jsonapi.One(course.Type, r.Course.String()),
			Person:   jsonapi.One(person.Type, r.Person.String()),
			Quiz:     jsonapi.One(quiz.Type, r.Quiz.String()),
			Activity: jsonapi.One(activity.Type, r.Activity.String()),
		},
	}
}
