package structure

import (
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
)

// Revision is what has to be done so that a course is as a plan says.
type Revision struct {
	After  Structure
	Report Report

	AddedQuizzes       []quiz.Quiz
	ChangedQuizzes     []quiz.Quiz
	Requestioned       []quiz.ID // those of the changed quizzes that ask other questions than before
	AddedAssignments   []assignment.Assignment
	ChangedAssignments []assignment.Assignment
	Added              []activity.Activity
	Changed            []activity.Activity // archived and restored ones among them
	Removed            []activity.ID

	// Progress is that of an attempt at the course, by how many of its activities
	// are completed in it; nil when nobody's progress changes.
	Progress []decimal.Percent
}

// Empty tells whether nothing has to be done.
func (r Revision) Empty() bool {
	return len(r.AddedQuizzes)+len(r.ChangedQuizzes)+len(r.AddedAssignments)+len(r.ChangedAssignments)+
		len(r.Added)+len(r.Changed)+len(r.Removed) == 0
}

// Report is what a revision means for the activities of the course.
type Report struct {
	Created   []Entry  // in the order of the plan, like the next two
	Restored  []Entry  // were archived
	Changed   []Change // what is in neither
	Archived  []Entry  // in the order that they had, like the next
	Deleted   []Entry
	Unchanged int
}

// Entry names an activity.
type Entry struct {
	Key  string
	Kind activity.Kind
}

// Change is what changes in an activity: of title, kind, duration, position,
// quiz and assignment, in this order.
type Change struct {
	Entry
	What []string
}

func entryOf(a activity.State) Entry { return Entry{Key: a.Key, Kind: a.Content.Kind} }
