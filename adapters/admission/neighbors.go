package admission

import "time"

// activeFor is how long a school counts as active after an operation.
const activeFor = 10 * time.Second

// neighbors knows whether several schools were active lately. Only then has a
// school to leave room for others.
type neighbors struct {
	recent [2]struct { // the schools of the last operations, two different ones
		school [16]byte
		at     time.Time
	}
}

// note notes an operation of a school, and reports whether another was active. The
// zero school is the server itself, for which no school has to leave room.
func (n *neighbors) note(school [16]byte, now time.Time) bool {
	if school == ([16]byte{}) {
		return now.Sub(n.recent[1].at) < activeFor
	}
	if n.recent[0].school != school {
		n.recent[1] = n.recent[0]
	}
	n.recent[0].school, n.recent[0].at = school, now
	return now.Sub(n.recent[1].at) < activeFor
}
