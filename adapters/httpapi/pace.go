package httpapi

import "time"

// pace is the time that a client has left to move bytes: a slow client is given
// most time at first, and earns time by each byte that it moves. A client that
// moves nothing is cut off after most, a client that is slower than rate later.
type pace struct {
	most time.Duration // the time at the start, and never more
	rate int64         // the least rate, in bytes per second; above 0
	left time.Duration
}

func newPace(most time.Duration, rate int64) pace { return pace{most: most, rate: rate, left: most} }

// deadline returns when a move that begins at now must have ended.
func (p *pace) deadline(now time.Time) time.Time { return now.Add(p.left) }

// moved notes that n bytes were moved in that time.
func (p *pace) moved(n int, took time.Duration) {
	earned := time.Duration(int64(n) * int64(time.Second) / p.rate)
	p.left = min(p.most, p.left-took+earned)
}
