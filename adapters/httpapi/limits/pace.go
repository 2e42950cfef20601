package limits

import "time"

// Pace is the time that a client has left to move bytes: a slow client is given
// most time at first, and earns time by each byte that it moves. A client that
// moves nothing is cut off after most, a client that is slower than rate later.
type Pace struct {
	most time.Duration // the time at the start, and never more
	rate int64         // the least rate, in bytes per second; above 0
	left time.Duration
}

func NewPace(most time.Duration, rate int64) Pace { return Pace{most: most, rate: rate, left: most} }

// Deadline returns when a move that begins at now must have ended.
func (p *Pace) Deadline(now time.Time) time.Time { return now.Add(p.left) }

// Moved notes that n bytes were moved in that time.
func (p *Pace) Moved(n int, took time.Duration) {
	earned := time.Duration(int64(n) * int64(time.Second) / p.rate)
	p.left = min(p.most, p.left-took+earned)
}
