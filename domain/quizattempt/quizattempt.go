// Package quizattempt defines quiz attempts: a person's numbered passes through the quiz of an
// activity within a course attempt.
package quizattempt

import (
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

// ID identifies a quiz attempt.
type ID struct{ uuid.UUID }

// Attempt is a pass through the quiz of an activity. It begins with an answer and is complete when
// every question has an answer. The next answer then begins another attempt.
type Attempt struct{ s State }

// State is the plain record of a quiz attempt.
type State struct {
	ID                  ID
	Person              person.ID
	Course              course.ID
	CourseAttempt       attempt.ID
	CourseAttemptNumber int
	Activity            activity.ID
	Quiz                quiz.ID
	Number              int      // 1-based number among the quiz attempts in this activity and course attempt
	Answers             []Answer // at most one for each question, ordered by the number of the question
	Score               Score
	StartedAt           time.Time
}

// Answer is the latest answer to one question.
type Answer struct {
	Question quiz.QuestionID
	Position quiz.Position // at the time of the answer; lists show the current position
	Response string
	Correct  bool
	At       time.Time
}

// Begin returns a new attempt at the quiz of act within the course attempt in, without answers.
// last is the latest quiz attempt at act in that course attempt, or nil if there is none. The new
// attempt has the next number.
func Begin(id ID, in attempt.State, act activity.State, last *Attempt, now time.Time) Attempt {
	number := 1
	if last != nil {
		number = last.s.Number + 1
	}
	return Attempt{State{
		ID: id, Person: in.Person, Course: in.Course, CourseAttempt: in.ID, CourseAttemptNumber: in.Number,
		Activity: act.ID, Quiz: act.Content.Quiz, Number: number, StartedAt: now,
	}}
}

// Restore returns the quiz attempt that a store saved as s.
func Restore(s State) Attempt { return Attempt{s} }

// State returns the quiz attempt's record.
func (a Attempt) State() State {
	s := a.s
	s.Answers = slices.Clone(s.Answers)
	return s
}
