// Package quizattempt is a person's run through one quiz activity inside a
// course attempt.
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

// Attempt is a run through the quiz of an activity. It begins with an answer and
// is complete when every question has one; to answer on after that is to take
// the quiz again.
type Attempt struct{ s State }

// State is the plain record of a quiz attempt.
type State struct {
	ID            ID
	Person        person.ID
	Course        course.ID
	CourseAttempt attempt.ID
	CourseNumber  int // of the course attempt
	Activity      activity.ID
	Quiz          quiz.ID
	Number        int      // 1 is the first in this activity and course attempt
	Answers       []Answer // one for each question at most, by the number of the question
	Score         Score
	StartedAt     time.Time
}

// Answer is the last word on one question.
type Answer struct {
	Question quiz.QuestionID
	Position quiz.Position // when the answer was given; lists show the present one
	Response string
	Correct  bool
	At       time.Time
}

// Begin returns the run that follows last, which is nil for the first, through
// the quiz of act within a course attempt. It has no answer yet.
func Begin(id ID, in attempt.State, act activity.State, last *Attempt, now time.Time) Attempt {
	number := 1
	if last != nil {
		number = last.s.Number + 1
	}
	return Attempt{State{
		ID: id, Person: in.Person, Course: in.Course, CourseAttempt: in.ID, CourseNumber: in.Number,
		Activity: act.ID, Quiz: act.Content.Quiz, Number: number, StartedAt: now,
	}}
}

// Restore returns the quiz attempt that a store kept as s.
func Restore(s State) Attempt { return Attempt{s} }

// State returns the quiz attempt's record.
func (a Attempt) State() State {
	s := a.s
	s.Answers = slices.Clone(s.Answers)
	return s
}
