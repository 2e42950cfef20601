package quizattempt

import (
	"time"

	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
)

// Score counts the answers of a quiz attempt.
type Score struct {
	Answered, Correct int // numbers of active questions
	Total             int // number of active questions of the quiz
	LastAnsweredAt    time.Time
}

// PercentCorrect returns the percentage of the answered questions that are correct.
func (s Score) PercentCorrect() decimal.Percent { return decimal.PercentOf(s.Correct, s.Answered) }

// Progress returns the percentage of the quiz's questions that are answered.
func (s Score) Progress() decimal.Percent { return decimal.PercentOf(s.Answered, s.Total) }

// AnsweredOfTotal returns the number of answered questions and the total, such as 2/5.
func (s Score) AnsweredOfTotal() string {
	return quiz.Position{Number: s.Answered, Total: s.Total}.String()
}

// Complete reports whether every question is answered.
func (s Score) Complete() bool { return s.Answered >= s.Total }

// UpdateScore recalculates the score. asked contains the active questions of the quiz. Answers to
// archived questions count only for LastAnsweredAt.
func (a *Attempt) UpdateScore(asked quiz.ActiveQuestions) {
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
