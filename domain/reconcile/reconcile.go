// Package reconcile compares derived data (progress, scores, counts) with the source records from
// which it is computed.
package reconcile

import (
	"lyceum/domain/attempt"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// Discrepancy is a stored value that does not match the source records.
type Discrepancy struct {
	Record   string // such as "people 8f…"
	Value    string // such as "course_count"
	Stored   string
	Expected string
}

// AttemptCheck contains a course attempt and the tally of its completions.
type AttemptCheck struct {
	Attempt attempt.Attempt
	Tally   attempt.Tally
}

// Reconcile recalculates the progress of the attempt and returns the discrepancies.
func (a *AttemptCheck) Reconcile() []Discrepancy {
	stored := a.Attempt.State()
	a.Attempt.UpdateProgress(a.Tally)
	right := a.Attempt.State()
	record := attempt.Type + " " + stored.ID.String()
	return differences(record,
		value{"progress", stored.Progress.String(), right.Progress.String()},
		value{"last_completed_at", instant(stored.LastCompletedAt), instant(right.LastCompletedAt)},
	)
}

// QuizAttemptCheck contains a quiz attempt with its answers, and the active questions of its quiz.
type QuizAttemptCheck struct {
	Attempt         quizattempt.Attempt
	ActiveQuestions quiz.ActiveQuestions
}

// Reconcile recalculates the score of the quiz attempt and returns the discrepancies.
func (a *QuizAttemptCheck) Reconcile() []Discrepancy {
	before := a.Attempt.State()
	a.Attempt.UpdateScore(a.ActiveQuestions)
	stored, right := before.Score, a.Attempt.State().Score
	record := "quiz_attempts " + before.ID.String()
	return differences(record,
		value{"questions_completed", stored.AnsweredOfTotal(), right.AnsweredOfTotal()},
		value{"percent_correct", stored.PercentCorrect().String(), right.PercentCorrect().String()},
		value{"last_question_answered_at", instant(&stored.LastAnsweredAt), instant(&right.LastAnsweredAt)},
	)
}
