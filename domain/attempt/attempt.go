// Package attempt is a person's run through a course, from the first activity on.
package attempt

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// Type is the plural noun by which documents name course attempts.
const Type = "course_attempts"

// ID identifies a course attempt.
type ID struct{ uuid.UUID }

// Attempt is a person's run through a course. It outlives the enrollment: who is
// enrolled again goes on with it.
type Attempt struct{ s State }

// State is the plain record of an attempt.
type State struct {
	ID              ID
	Person          person.ID
	Course          course.ID
	Number          int // 1 is the person's first in the course
	Progress        decimal.Percent
	LastCompletedAt *time.Time // when an activity was last completed; nil before the first
	StartedAt       time.Time
}

// Begin returns the attempt that follows last, which is nil for the first, of
// the person and the course of e.
func Begin(id ID, e enrollment.Enrollment, last *Attempt, now time.Time) Attempt {
	number := 1
	if last != nil {
		number = last.s.Number + 1
	}
	return Attempt{State{ID: id, Person: e.Person, Course: e.Course, Number: number, StartedAt: now}}
}

// Restore returns the attempt that a store kept as s.
func Restore(s State) Attempt { return Attempt{s} }

// State returns the attempt's record.
func (a Attempt) State() State { return a.s }
