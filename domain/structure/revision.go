package structure

import (
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
)

// Revision contains the changes that make a course match a plan.
type Revision struct {
	After  Structure
	Report Report

	AddedQuizzes       []quiz.Quiz
	ChangedQuizzes     []quiz.Quiz
	RescoredQuizzes    []quiz.ID // changed quizzes whose set of active questions changed
	AddedAssignments   []assignment.Assignment
	ChangedAssignments []assignment.Assignment
	Added              []activity.Activity
	Changed            []activity.Activity // including archived and restored ones
	Removed            []activity.ID

	// Progress is the progress of an attempt at the course, indexed by the number of completed
	// activities; nil if the progress of no attempt changes.
	Progress []decimal.Percent
}

// Empty reports whether there is nothing to change.
func (r Revision) Empty() bool {
	return len(r.AddedQuizzes)+len(r.ChangedQuizzes)+len(r.AddedAssignments)+len(r.ChangedAssignments)+
		len(r.Added)+len(r.Changed)+len(r.Removed) == 0
}

// Records returns how many activities, assignments, quizzes and questions the revision saves or removes.
// All questions of a changed quiz count.
func (r Revision) Records() int {
	n := len(r.Added) + len(r.Changed) + len(r.Removed) + len(r.AddedAssignments) + len(r.ChangedAssignments)
	for _, saved := range [][]quiz.Quiz{r.AddedQuizzes, r.ChangedQuizzes} {
		for _, q := range saved {
			n += 1 + len(q.State().Questions)
		}
	}
	return n
}

// ChangesAttempts reports whether the revision may change attempts of learners: their progress or their
// scores.
func (r Revision) ChangesAttempts() bool { return r.Progress != nil || len(r.RescoredQuizzes) > 0 }

// Report describes the effect of a revision on the activities of the course.
type Report struct {
	Created   []Entry  // in the order of the plan, like Restored and Changed
	Restored  []Entry  // archived activities that the plan restores
	Changed   []Change // other activities with changed attributes
	Archived  []Entry  // in their previous order, like Deleted
	Deleted   []Entry
	Unchanged int
}

// Entry identifies an activity.
type Entry struct {
	Key  string
	Kind activity.Kind
}

// Change lists the changed attributes of an activity: any of title, kind, duration, video_url,
// text, position, quiz and assignment, in this order.
type Change struct {
	Entry
	Fields []string
}

func entryOf(a activity.State) Entry { return Entry{Key: a.Key, Kind: a.Content.Kind} }
