// Package attempt defines course attempts: a person's numbered passes through a course, with their
// completions and progress.
package attempt

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Type is the resource type of course attempts in documents.
const Type = "course_attempts"

// ID identifies a course attempt.
type ID struct{ uuid.UUID }

// Attempt is a person's pass through a course. It is kept when the enrollment is deleted; a person
// who is enrolled again continues it.
type Attempt struct{ s State }

// State is the plain record of an attempt.
type State struct {
	ID              ID
	Person          person.ID
	Course          course.ID
	Number          int // 1-based number among the person's attempts at the course
	Progress        decimal.Percent
	LastCompletedAt *time.Time // when an activity was last completed; nil before the first
	StartedAt       time.Time
}

// Begin returns a new attempt at the course of e by the person of e. last is the person's latest
// attempt at the course, or nil if there is none. The new attempt has the next number.
func Begin(id ID, e enrollment.Enrollment, last *Attempt, now time.Time) Attempt {
	number := 1
	if last != nil {
		number = last.s.Number + 1
	}
	return Attempt{State{ID: id, Person: e.Person, Course: e.Course, Number: number, StartedAt: now}}
}

// Restore returns the attempt that a store saved as s.
func Restore(s State) Attempt { return Attempt{s} }

// State returns the attempt's record.
func (a Attempt) State() State { return a.s }
