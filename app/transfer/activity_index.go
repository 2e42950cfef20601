package transfer

import (
	"errors"

	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
)

// indexedActivity is an activity of the school or the file.
type indexedActivity struct {
	state activity.State
	name  activityName // name by which lines refer to the activity
	line  int          // line that contains the activity; 0: none so far
	none  bool         // a rule returned NoEffect for the line
}

// registerActivity adds an activity to all maps of the index.
func (x *index) registerActivity(l *indexedActivity) {
	in := l.state.Course
	if x.keys[in] == nil {
		x.keys[in] = map[string]*indexedActivity{}
	}
	x.keys[in][l.state.Key] = l
	x.activities[l.name] = l
	x.countVisible(l.state, 1)
}

// registerActivityVerdict registers an activity for whose line a rule returned NoEffect, and
// returns the verdict.
func (x *index) registerActivityVerdict(l *indexedActivity, verdict error) error {
	if errors.Is(verdict, policy.NoEffect) {
		l.none = true
		x.activities[l.name] = l
	}
	return verdict
}

// countVisible adds n to the number of visible activities of a's course, unless a is archived.
func (x *index) countVisible(a activity.State, n int) {
	if !a.Archived() {
		x.visible[a.Course] += n
	}
}

// rename changes the name by which lines refer to an activity.
func (x *index) rename(l *indexedActivity, name activityName) {
	if x.activities[l.name] == l {
		delete(x.activities, l.name)
	}
	l.name = name
	x.activities[name] = l
}

// activityOf returns the activity to which a line of learner data refers, and notes in
// m.hasLearnerData that it has such data.
func (m *importer) activityOf(field, in, name string, nth int) (activity.State, error) {
	l, ok := m.activities[activityName{in, omitFirst(ordinalName{name, nth})}]
	if !ok {
		return activity.State{}, fault.Invalidf(field, "the course %s has no activity %q", in, withOrdinal(name, nth))
	}
	if l.none {
		return activity.State{}, policy.NoEffect
	}
	m.hasLearnerData[l.state.ID] = true
	return l.state.WithoutText(), nil
}
