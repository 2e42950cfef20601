// Package fake provides test doubles with known results for ports.Clock, ports.IDs and
// ports.InvitationSender.
package fake

import (
	"sync"
	"time"

	"lyceum/ports"
)

// Start is a time to which tests can set their clock.
var Start = time.Date(2026, time.January, 2, 15, 4, 5, 123_000_000, time.UTC)

// Clock is a clock that changes only when a test advances it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

var _ ports.Clock = (*Clock)(nil)

// NewClock returns a clock at start, in UTC and truncated to milliseconds as ports.Clock promises.
func NewClock(start time.Time) *Clock {
	return &Clock{now: cut(start)}
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance adds d to the time of the clock, truncates the result to milliseconds and returns it. A
// negative d sets the clock back.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = cut(c.now.Add(d))
	return c.now
}

func cut(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
