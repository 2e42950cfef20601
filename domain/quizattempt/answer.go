package quizattempt

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"lyceum/domain/quiz"
)

// Answer marks the chosen choices of a question of q (quiz.Question.Grade) and
// keeps the answer in the place of an earlier one; the score follows. A question
// that q has not is NotFound.
func (a *Attempt) Answer(q quiz.Quiz, id quiz.QuestionID, chosen []string, now time.Time) (Answer, error) {
	question, number, err := q.Question(id)
	if err != nil {
		return Answer{}, err
	}
	response, correct, err := question.Grade(chosen)
	if err != nil {
		return Answer{}, err
	}
	total := len(q.State().Questions)
	given := Answer{
		Question: id, Position: quiz.Position{Number: number, Total: total},
		Response: response, Correct: correct, At: now,
	}
	a.s.Answers = slices.DeleteFunc(slices.Clone(a.s.Answers), func(g Answer) bool { return g.Question == id })
	a.s.Answers = append(a.s.Answers, given)
	slices.SortFunc(a.s.Answers, func(x, y Answer) int {
		// The numbers are those of the moment of the answer, so two may be alike.
		return cmp.Or(cmp.Compare(x.Position.Number, y.Position.Number), bytes.Compare(x.Question.UUID[:], y.Question.UUID[:]))
	})
	a.Mark(q.Asked())
	return given, nil
}
