package limits

import (
	"runtime"
	"time"

	"lyceum/adapters/limiter"
)

const (
	// In each spacingWindow, a school may begin at most spacingPerProcessor requests per processor
	// while another school is active. The same limit always applies to a network of clients without
	// a known key. A processor can serve about fifteen times as many of the cheapest requests.
	spacingWindow       = 10 * time.Millisecond
	spacingPerProcessor = 10
)

// Spacings spread requests over time, so that a burst of one client does not delay the requests of
// others. Parsing, refusing and sending take processor time outside of the slots.
type Spacings struct{ Schools, Networks *limiter.Spacing }

// NewSpacings returns the spacings. A request waits at most a.Wait.
func NewSpacings(a Admission) Spacings {
	cfg := limiter.RateConfig{Quota: spacingPerProcessor * runtime.GOMAXPROCS(0), Window: spacingWindow, Kept: ratesKept}
	return Spacings{Schools: limiter.NewSpacing(cfg, a.Wait), Networks: limiter.NewSpacing(cfg, a.Wait)}
}
