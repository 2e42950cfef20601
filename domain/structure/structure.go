// Package structure defines course structures: all activities of a course in order, with their
// quizzes and assignments. A Plan is the desired structure. A Revision contains the changes that
// lead to it.
package structure

import (
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
)

// Type is the resource type of course structures in documents.
const Type = "course_structures"

// MaxActivities is the maximum number of activities of a course, without archived ones.
const MaxActivities = 1000

// Structure contains the activities of a course with their quizzes and assignments.
type Structure struct {
	Course     course.ID
	Activities []activity.State // in the order of the course
	Archived   []activity.State // ordered by key
	// Quizzes and Assignments contain the quizzes and assignments of the activities, and the
	// quizzes and assignments that the caller requested in addition.
	Quizzes     map[quiz.ID]quiz.State
	Assignments map[assignment.ID]assignment.State
}

// New returns the structure of a course with the given activities, including archived ones, in any
// order.
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

// byKey returns the activities, including archived ones, by key.
func (s Structure) byKey() map[string]activity.State {
	found := make(map[string]activity.State, len(s.Activities)+len(s.Archived))
	for _, a := range slices.Concat(s.Activities, s.Archived) {
		found[a.Key] = a
	}
	return found
}
