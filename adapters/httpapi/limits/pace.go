package limits

import "time"

// Pace computes how much time a client has to transfer bytes. The remaining time starts at a
// maximum, decreases during a transfer, and increases with each byte, up to the maximum. A client
// that transfers nothing is disconnected after the maximum time. A client that is slower than the
// minimum rate is disconnected later.
type Pace struct {
	most      time.Duration // the initial and maximum time
	rate      int64         // minimum rate, in bytes per second; above 0
	remaining time.Duration
}

func NewPace(most time.Duration, rate int64) Pace {
	return Pace{most: most, rate: rate, remaining: most}
}

// Deadline returns the deadline of a transfer that starts now.
func (p *Pace) Deadline(now time.Time) time.Time { return now.Add(p.remaining) }

// Moved records a transfer of n bytes.
func (p *Pace) Moved(n int, took time.Duration) {
	earned := time.Duration(int64(n) * int64(time.Second) / p.rate)
	p.remaining = min(p.most, p.remaining-took+earned)
}
