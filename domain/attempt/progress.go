package attempt

import (
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/decimal"
)

// Completion is the fact that an activity was completed in an attempt; each is
// at most once.
type Completion struct {
	Attempt  ID
	Activity activity.ID
	At       time.Time
}

// Tally is what the completions of an attempt come to.
type Tally struct {
	Completed  int        // activities of the course, without those archived, that are completed
	Activities int        // of the course, without those archived
	LastAt     *time.Time // of the latest completion, archived activities among them; nil when there is none
}

// Progress returns the percentage of the course's activities that are completed.
func (t Tally) Progress() decimal.Percent { return decimal.PercentOf(t.Completed, t.Activities) }

// Measure sets what follows from the tally: the progress is the percentage of
// the course's activities that are completed.
func (a *Attempt) Measure(t Tally) {
	a.s.Progress = t.Progress()
	a.s.LastCompletedAt = t.LastAt
}

// Complete tells whether all of the course is done.
func (s State) Complete() bool { return s.Progress == decimal.Whole }
