package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

// answerQuiz records answers to questions of the quiz in the path, all or none.
func (s *server) answerQuiz(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	b, err := s.readBatch(c, learning.MaxReplies)
	if err != nil {
		return err
	}
	replies := make([]learning.Reply, len(b.Documents))
	for i, d := range b.Documents {
		replies[i] = reply(d)
	}
	marked, err := tryBatch(b, a, func(a app.Actor) (learning.Marked, error) {
		return s.app.Learning.Reply(c.Request.Context(), a, quiz.ID{UUID: id}, replies)
	})
	if err != nil {
		return err
	}
	var runs, answers []jsonapi.Resource
	for _, r := range marked.Runs {
		runs = append(runs, quizRun(a, r))
	}
	for _, r := range marked.Answers {
		answers = append(answers, markedAnswer(a, r))
	}
	if b.Many {
		return s.Recorded(c, s.links.quizRuns(), jsonapi.Batch{Data: answers, Included: runs})
	}
	return s.Recorded(c, s.links.quizRun(marked.Runs[0].ID.UUID), jsonapi.Compound{Data: answers[0], Included: runs})
}

// questionType is the plural noun of questions, which have no list of their own.
const questionType = "questions"

// reply returns the answer that the document is.
func reply(d *request.Document) learning.Reply {
	d.CheckNew(false, analytics.AnswerType)
	r := learning.Reply{
		Person:   request.ToOne[person.ID](d, "person", person.Type),
		Activity: request.OptionalToOne[activity.ID](d, "activity", activity.Type),
		Question: request.ToOne[quiz.QuestionID](d, "question", questionType),
	}
	const response = "response"
	if !d.Attributes[response].NullOrAbsent() { // blank ones are the domain's to refuse
		r.Chosen = *request.Attribute(d, response, request.TextsOf)
	}
	return r
}

type markedRelationships struct {
	rawAnswerRelationships
	QuizAttempt jsonapi.ToOne `json:"quiz_attempt"`
}

// markedAnswer is a raw answer with the quiz attempt in which it stands.
func markedAnswer(a app.Actor, r analytics.RawAnswer) jsonapi.Resource {
	shown := rawAnswer(a, r)
	shown.Relationships = markedRelationships{
		rawAnswerRelationships: shown.Relationships.(rawAnswerRelationships),
		QuizAttempt:            jsonapi.One(analytics.QuizRunType, r.QuizAttempt.String()),
	}
	return shown
}
