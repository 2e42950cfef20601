package httpapi

import (
	"encoding/json"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

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
