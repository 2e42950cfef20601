// Package fake is what tests put in the place of the clock and of chance:
// ports.Clock and ports.IDs whose answers are known beforehand, and in the place
// of the post: ports.Inviter.
package fake

import (
	"sync"
	"time"

	"lyceum/ports"
)

// Start is an instant for tests to begin at.
var Start = time.Date(2026, time.January, 2, 15, 4, 5, 123_000_000, time.UTC)

// Clock is a clock that stands still until a test moves it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

var _ ports.Clock = (*Clock)(nil)

// NewClock returns a clock that shows start, in UTC and cut to whole
// milliseconds as ports.Clock promises.
func NewClock(start time.Time) *Clock {
	return &Clock{now: cut(start)}
}

// Now returns the instant that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d, backwards when d is negative, and returns the
// instant that it shows then. What d has below a millisecond is cut off.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = cut(c.now.Add(d))
	return c.now
}

func cut(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
