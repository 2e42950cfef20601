// Package structure is what a course consists of, as one document: its
// activities in their order, with their quizzes and assignments. A plan says how
// it shall be, and a revision what has to be done for that.
package structure

import (
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
)

// Type is the plural noun by which documents name structures.
const Type = "course_structures"

// MaxActivities is the longest course, without what is archived.
const MaxActivities = 1000

// Structure is what a course consists of.
type Structure struct {
	Course     course.ID
	Activities []activity.State // in their order
	Archived   []activity.State // in the order of their keys
	// Quizzes and Assignments are those of the activities, and others that were
	// asked for.
	Quizzes     map[quiz.ID]quiz.State
	Assignments map[assignment.ID]assignment.State
}

// New returns the structure of a course with such activities, archived ones
// among them, in any order.
func New(
	c course.ID, activities []activity.State,
	quizzes map[quiz.ID]quiz.State, assignments map[assignment.ID]assignment.State,
) Structure {
	s := Structure{Course: c, Quizzes: quizzes, Assignments: assignments}
	for _, a := range activities {
		if a.Archived() {
			s.Archived = append(s.Archived, a)
		} else {
			s.Activities = append(s.Activities, a)
		}
	}
	slices.SortFunc(s.Activities, byPosition)
	slices.SortFunc(s.Archived, byKey)
	return s
}

// byKey returns the activities, archived ones among them, by their keys.
func (s Structure) byKey() map[string]activity.State {
	found := make(map[string]activity.State, len(s.Activities)+len(s.Archived))
	for _, a := range slices.Concat(s.Activities, s.Archived) {
		found[a.Key] = a
	}
	return found
}
