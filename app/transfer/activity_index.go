package transfer

import (
	"lyceum/domain/activity"
	"lyceum/domain/fault"
)

// indexedActivity is an activity of the school or the file.
type indexedActivity struct {
	is   activity.State
	name activityName // as lines name it
	line int          // line with the activity; 0: none so far
}

// registerActivity adds an activity to the index.
func (x *index) registerActivity(l *indexedActivity) {
	in := l.is.Course
	if x.keys[in] == nil {
		x.keys[in] = map[string]*indexedActivity{}
	}
	x.keys[in][l.is.Key] = l
	x.activities[l.name] = l
	x.countVisible(l.is, 1)
}

// countVisible adds n to the number of visible activities of a course, unless the activity is
// archived.
func (x *index) countVisible(a activity.State, n int) {
	if !a.Archived() {
		x.visible[a.Course] += n
	}
}

// rename changes the name under which lines find an activity.
func (x *index) rename(l *indexedActivity, name activityName) {
	if x.activities[l.name] == l {
		delete(x.activities, l.name)
	}
	l.name = name
	x.activities[name] = l
}

// activityOf returns the activity in which a line says that a learner did something.
func (m *importer) activityOf(field, in, name string, nth int) (activity.State, error) {
	l, ok := m.activities[activityName{in, omitFirst(ordinalName{name, nth})}]
	if !ok {
		return activity.State{}, fault.Invalidf(field, "the course %s has no activity %q", in, numbered(name, nth))
	}
	m.hasLearnerData[l.is.ID] = true
	return l.is, nil
}
