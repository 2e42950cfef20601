package transfer

import (
	"lyceum/domain/activity"
	"lyceum/domain/fault"
)

// lesson is an activity that the school has or the file brings.
type lesson struct {
	is   activity.State
	name step // what lines call it
	line int  // that tells of it; 0: none so far
}

// teach puts an activity among those that there are.
func (x *index) teach(l *lesson) {
	in := l.is.Course
	if x.keys[in] == nil {
		x.keys[in] = map[string]*lesson{}
	}
	x.keys[in][l.is.Key] = l
	x.activities[l.name] = l
	x.show(l.is, 1)
}

// show counts an activity, unless it is archived, among those that its course
// shows, or takes it out of them.
func (x *index) show(a activity.State, n int) {
	if !a.Archived() {
		x.steps[a.Course] += n
	}
}

// rename calls an activity as the file does from now on.
func (x *index) rename(l *lesson, name step) {
	if x.activities[l.name] == l {
		delete(x.activities, l.name)
	}
	l.name = name
	x.activities[name] = l
}

// stepOf returns the activity in which a line tells that something was done.
func (m *importing) stepOf(field, in, name string, nth int) (activity.State, error) {
	l, ok := m.activities[step{in, shown(title{name, nth})}]
	if !ok {
		return activity.State{}, fault.Invalidf(field, "there is no activity in the course %s %q", in, numbered(name, nth))
	}
	m.touched[l.is.ID] = true
	return l.is, nil
}
