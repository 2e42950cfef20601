package quizattempt

import (
	"time"

	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
)

// Score is what the answers of a run come to.
type Score struct {
	Answered, Correct int // questions
	Total             int // questions of the quiz
	LastAnsweredAt    time.Time
}

// PercentCorrect returns the percentage of the questions answered that are
// answered correctly.
func (s Score) PercentCorrect() decimal.Percent { return decimal.PercentOf(s.Correct, s.Answered) }

// Progress returns the percentage of the quiz's questions that are answered.
func (s Score) Progress() decimal.Percent { return decimal.PercentOf(s.Answered, s.Total) }

// Completed returns how many questions of how many are answered, such as 2/5.
func (s Score) Completed() string { return quiz.Position{Number: s.Answered, Total: s.Total}.String() }

// Complete tells whether every question is answered.
func (s Score) Complete() bool { return s.Answered >= s.Total }

// Mark sets the score that the answers come to in a quiz that asks these
// questions. Answers to questions that it asks no more do not count; when the
// last of them was given is told all the same.
func (a *Attempt) Mark(asked quiz.Asked) {
	score := Score{Total: len(asked)}
	for _, g := range a.s.Answers {
		if asked[g.Question] {
			score.Answered++
			if g.Correct {
				score.Correct++
			}
		}
		if g.At.After(score.LastAnsweredAt) {
			score.LastAnsweredAt = g.At
		}
	}
	a.s.Score = score
}
