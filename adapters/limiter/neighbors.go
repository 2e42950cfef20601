package limiter

import (
	"sync"
	"time"
)

// activeFor is how long a school counts as active after an operation starts. In a Limiter, a school
// also counts as active while it has running or waiting operations. A school that sends a request
// every minute therefore always finds a free slot. Without activeFor, its first request after a
// pause would take about ten times as long if another school used all slots.
const activeFor = 5 * time.Minute

// Neighbors tracks whether several schools were active recently. Only then must a school leave
// slots for other schools. Limiters and spacings of one server share a Neighbors, so that any
// request of a school makes it active for all of them. The zero Neighbors is ready for use, and
// safe for concurrent use.
type Neighbors struct {
	mu     sync.Mutex
	recent [2]struct { // the last two different schools
		school [16]byte
		at     time.Time
	}
}

// note records an operation of a school and reports whether another school was active. The
// zero school is the server itself and does not count.
func (n *Neighbors) note(school [16]byte, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if school == ([16]byte{}) {
		return now.Sub(n.recent[1].at) < activeFor
	}
	if n.recent[0].school != school {
		n.recent[1] = n.recent[0]
	}
	n.recent[0].school, n.recent[0].at = school, now
	return now.Sub(n.recent[1].at) < activeFor
}
