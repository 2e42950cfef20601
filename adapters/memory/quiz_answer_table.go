package memory

import (
	"cmp"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// answerOrder is the default order of the list of raw answers.
var answerOrder = ordered.Order[*answer]{
	Compare: func(a, b *answer) int {
		return cmp.Or(
			b.At.Compare(a.At),
			ordered.CompareIDs(a.head.ID.UUID, b.head.ID.UUID),
			ordered.CompareIDs(a.Question.UUID, b.Question.UUID),
		)
	},
	Sections: quizAttemptSections(func(a *answer) *quizattempt.State { return a.head }),
}

// updateRawAnswers replaces the answers of old with the answers of next. Either attempt may be nil.
func (s *state) updateRawAnswers(old, next *quizAttempt) {
	rows, before, after := s.rawAnswers.writable(s.version), old.byQuestion(), next.byQuestion()
	for question, a := range before {
		if after[question] != a {
			rows.Remove(a)
			s.writtenAnswers = append(s.writtenAnswers, a)
		}
	}
	for question, a := range after {
		if before[question] != a {
			rows.Set(a)
			s.writtenAnswers = append(s.writtenAnswers, a)
		}
	}
}

// answerByKey returns the answer with the composite id key, and reports whether it exists.
func (s *state) answerByKey(key string) (*answer, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 2 {
		return nil, false
	}
	run, ok := s.quizAttempts.table.ByID.Get(ids[0])
	if !ok {
		return nil, false
	}
	given, ok := run.byQuestion()[ids[1]]
	return given, ok
}

// text returns the text of the question id. at is its position among the active questions, or zero
// if it is archived.
func (q questions) text(id quiz.QuestionID, at quiz.Position) string {
	if at.Number > 0 {
		return q.active[at.Number-1].Text
	}
	for _, archived := range q.archived {
		if archived.ID == id {
			return archived.Text
		}
	}
	return ""
}
