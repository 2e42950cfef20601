package quizattempt

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"lyceum/domain/quiz"
)

// Answer grades the chosen choices for a question of q (quiz.Question.Grade), replaces an earlier
// answer to the question, and updates the score. It returns NotFound if the question is not active
// in q.
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
		// The number is the number of the question at the time of the answer. If the questions were
		// reordered since then, two answers can have the same number.
		return cmp.Or(cmp.Compare(x.Position.Number, y.Position.Number), bytes.Compare(x.Question.UUID[:], y.Question.UUID[:]))
	})
	a.UpdateScore(q.ActiveQuestions())
	return given, nil
}
