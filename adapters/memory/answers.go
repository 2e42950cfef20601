package memory

import (
	"cmp"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// answerOrder is the order of the raw answers, of which the key is the quiz
// attempt and the question.
var answerOrder = ordered.Order[*givenAnswer]{
	Compare: func(a, b *givenAnswer) int {
		return cmp.Or(
			b.At.Compare(a.At),
			ordered.CompareIDs(a.run.ID.UUID, b.run.ID.UUID),
			ordered.CompareIDs(a.Question.UUID, b.Question.UUID),
		)
	},
	Sections: ofQuizRun(func(a *givenAnswer) *quizattempt.State { return a.run }),
}

// answered lets the raw answers follow the change of a quiz attempt from old to
// next, either of which may be nil.
func (s *state) answered(old, next *quizRun) {
	rows, before, after := s.rawAnswers.own(s.version), old.byQuestion(), next.byQuestion()
	for question, a := range before {
		if after[question] != a {
			rows.Remove(a)
		}
	}
	for question, a := range after {
		if before[question] != a {
			rows.Set(a)
		}
	}
}

// answerByKey returns the answer whose id may be key.
func (s *state) answerByKey(key string) (*givenAnswer, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 2 {
		return nil, false
	}
	run, ok := s.quizAttempts.table.byID.Get(ids[0])
	if !ok {
		return nil, false
	}
	given, ok := run.byQuestion()[ids[1]]
	return given, ok
}

// text returns the text of the question id, which is at the position among those
// that the quiz asks.
func (q questions) text(id quiz.QuestionID, at quiz.Position) string {
	if at.Number > 0 {
		return q.asked[at.Number-1].Text
	}
	for _, archived := range q.archived {
		if archived.ID == id {
			return archived.Text
		}
	}
	return ""
}
