package limiter

import "time"

// activeFor is how long a school counts as active after an operation starts. In a Limiter it also
// counts as active while it has running or waiting operations.
// A school that sends a request every minute thus never meets a server that another school has
// filled: the first request after a pause would take about ten times as long.
const activeFor = 5 * time.Minute

// neighbors tracks whether several schools were active recently. Only then must a school leave
// slots for others.
type neighbors struct {
	recent [2]struct { // the last two different schools
		school [16]byte
		at     time.Time
	}
}

// note records an operation of a school and reports whether another school was active. The
// zero school is the server itself and does not count.
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
