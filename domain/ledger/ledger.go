// Package ledger is the comparison of what a store has worked out with the facts
// that it follows from.
package ledger

import (
	"lyceum/domain/attempt"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// Difference is a stored value that did not follow from the facts.
type Difference struct {
	Record string // which record, such as "people 8f…"
	Value  string // which value of it, such as "course_count"
	Stored string
	Right  string
}

// AttemptAccount is a course attempt with what its completions come to.
type AttemptAccount struct {
	Attempt attempt.Attempt
	Tally   attempt.Tally
}

// Audit measures the attempt anew and returns what was different.
func (a *AttemptAccount) Audit() []Difference {
	stored := a.Attempt.State()
	a.Attempt.Measure(a.Tally)
	right := a.Attempt.State()
	record := attempt.Type + " " + stored.ID.String()
	return differences(record,
		value{"progress", stored.Progress.String(), right.Progress.String()},
		value{"last_completed_at", instant(stored.LastCompletedAt), instant(right.LastCompletedAt)},
	)
}

// QuizAccount is a quiz attempt, with its answers, and the questions that its
// quiz asks.
type QuizAccount struct {
	Attempt quizattempt.Attempt
	Asked   quiz.Asked
}

// Audit marks the quiz attempt anew and returns what was different.
func (a *QuizAccount) Audit() []Difference {
	before := a.Attempt.State()
	a.Attempt.Mark(a.Asked)
	stored, right := before.Score, a.Attempt.State().Score
	record := "quiz_attempts " + before.ID.String()
	return differences(record,
		value{"questions_completed", stored.Completed(), right.Completed()},
		value{"percent_correct", stored.PercentCorrect().String(), right.PercentCorrect().String()},
		value{"last_question_answered_at", instant(&stored.LastAnsweredAt), instant(&right.LastAnsweredAt)},
	)
}
