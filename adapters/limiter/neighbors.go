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

// note records an operation, unless it is passive, and reports whether another school was active. The
// zero school is the server itself and does not count.
func (n *Neighbors) note(o Origin, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	last := &n.recent[0]
	if o.Passive && last.school != o.School {
		return now.Sub(last.at) < activeFor
	}
	if !o.Passive && o.School != ([16]byte{}) {
		if last.school != o.School {
			n.recent[1] = *last
		}
		last.school, last.at = o.School, now
	}
	return now.Sub(n.recent[1].at) < activeFor
}
