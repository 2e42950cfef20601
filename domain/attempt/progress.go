package attempt

import (
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/decimal"
)

// Completion is the record that an activity was completed in an attempt. There is at most one for
// each attempt and activity.
type Completion struct {
	Attempt  ID
	Activity activity.ID
	At       time.Time
}

// Tally counts the completions of an attempt.
type Tally struct {
	Completed       int        // completed activities, not counting archived ones
	Activities      int        // activities of the course, not counting archived ones
	LastCompletedAt *time.Time // time of the latest completion, including archived activities; nil if there is none
}

// Progress returns the percentage of the course's activities that are completed.
func (t Tally) Progress() decimal.Percent { return decimal.PercentOf(t.Completed, t.Activities) }

// UpdateProgress sets the progress and the time of the last completion from the tally.
func (a *Attempt) UpdateProgress(t Tally) {
	a.s.Progress = t.Progress()
	a.s.LastCompletedAt = t.LastCompletedAt
}

// Complete reports whether every activity of the course is completed.
func (s State) Complete() bool { return s.Progress == decimal.OneHundred }
