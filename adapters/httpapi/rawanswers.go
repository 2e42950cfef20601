package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/analytics"
	"lyceum/domain/person"
)

func (s *server) listRawAnswers() handler {
	return list(s, listing[analytics.RawAnswer]{
		schema: analytics.AnswerSchema, list: s.app.Analytics.Answers, toResource: rawAnswer,
	})
}

type rawAnswerAttributes struct {
	ActivityTitle       string `json:"activity_title"`
	CourseAttemptNumber int    `json:"course_attempt_number"`
	CourseName          string `json:"course_name"`
	DateAnswered        string `json:"date_answered"`
	MarkedCorrect       bool   `json:"marked_correct"`
	QuestionNumber      string `json:"question_number"`
	QuestionText        string `json:"question_text"`
	QuizName            string `json:"quiz_name"`
	Response            string `json:"response"`
}

type rawAnswerRelationships struct {
	Person jsonapi.ToOne `json:"person"`
}

func rawAnswer(_ app.Actor, r analytics.RawAnswer) jsonapi.Resource {
	return jsonapi.Resource{
		Type: analytics.AnswerType,
		ID:   r.Key(),
		Attributes: rawAnswerAttributes{
			ActivityTitle:       r.ActivityTitle,
			CourseAttemptNumber: r.CourseNumber,
			CourseName:          r.CourseName,
			DateAnswered:        timestamp(r.Answer.At),
			MarkedCorrect:       r.Answer.Correct,
			QuestionNumber:      r.Position.String(),
			QuestionText:        r.QuestionText,
			QuizName:            r.QuizName,
			Response:            r.Answer.Response,
		},
		Relationships: rawAnswerRelationships{Person: jsonapi.One(person.Type, r.Person.String())},
	}
}
