package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

// answerQuiz submits answers to questions of the quiz in the path, all or none.
func (s *server) answerQuiz(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	b, err := s.readBatch(c, learning.MaxAnswers)
	if err != nil {
		return err
	}
	inputs := make([]learning.AnswerInput, len(b.Documents))
	for i, d := range b.Documents {
		inputs[i] = answerInput(d)
	}
	graded, err := collectBatchFaults(b, a, func(a app.Actor) (learning.GradedAnswers, error) {
		return s.app.Learning.SubmitAnswers(c.Request.Context(), a, quiz.ID{UUID: id}, inputs)
	})
	if err != nil {
		return err
	}
	var attempts, answers []jsonapi.Resource
	for _, r := range graded.QuizAttempts {
		attempts = append(attempts, quizAttempt(a, r))
	}
	for _, r := range graded.Answers {
		answers = append(answers, gradedAnswer(a, r))
	}
	if b.Many {
		return s.WriteCreated(c, s.links.quizAttempts(), jsonapi.Batch{Data: answers, Included: attempts})
	}
	return s.WriteCreated(c, s.links.quizAttempt(graded.QuizAttempts[0].ID.UUID), jsonapi.Compound{Data: answers[0], Included: attempts})
}

// questionType is the resource type of questions.
const questionType = "questions"

// answerInput reads an answer.
func answerInput(d *request.Document) learning.AnswerInput {
	d.CheckNew(false, analytics.AnswerType)
	r := learning.AnswerInput{
		Person:   request.ToOne[person.ID](d, "person", person.Type),
		Activity: request.OptionalToOne[activity.ID](d, "activity", activity.Type),
		Question: request.ToOne[quiz.QuestionID](d, "question", questionType),
	}
	const response = "response"
	if !d.Attributes[response].NullOrAbsent() { // the domain rejects a missing response
		r.Chosen = *request.Attribute(d, response, request.TextsOf)
	}
	return r
}

type gradedAnswerRelationships struct {
	rawAnswerRelationships
	QuizAttempt jsonapi.ToOne `json:"quiz_attempt"`
}

// gradedAnswer returns the resource of a raw answer with a relationship to its quiz attempt.
func gradedAnswer(a app.Actor, r analytics.RawAnswer) jsonapi.Resource {
	shown := rawAnswer(a, r)
	shown.Relationships = gradedAnswerRelationships{
		rawAnswerRelationships: shown.Relationships.(rawAnswerRelationships),
		QuizAttempt:            jsonapi.One(analytics.QuizAttemptType, r.QuizAttempt.String()),
	}
	return shown
}

func (s *server) listRawAnswers() handler {
	return list(s, lists.Listing[analytics.RawAnswer]{
		Schema: analytics.AnswerSchema, List: s.app.Analytics.Answers, ToResource: rawAnswer,
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
			CourseAttemptNumber: r.CourseAttemptNumber,
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
