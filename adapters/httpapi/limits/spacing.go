package limits

import (
	"time"

	"lyceum/adapters/limiter"
)

const (
	// In each spacingWindow, a school may begin at most spacingPerProcessor requests per processor
	// while another school is active. For a network of clients without a known key, this limit
	// always applies. The keys of a school share the limit fairly. A processor can serve about
	// fifteen times as many of the cheapest requests.
	spacingWindow       = 10 * time.Millisecond
	spacingPerProcessor = 10
	// probesPerSecond is the number of small health requests that a network may begin in a second.
	// They do not count toward its other requests, so that a load balancer in the network of a
	// flooding client still finds the server ready.
	probesPerSecond = 100
)

// Spacings spread requests over time, so that a burst of one client does not delay the requests of
// other clients. Slots alone are not enough: parsing, refusing and sending use processor time
// without a slot.
type Spacings struct{ Schools, Networks, Probes *limiter.Spacing }

// NewSpacings returns the Spacings of a server. A request waits at most a.Wait. Each request of a
// school is recorded in neighbors.
func NewSpacings(a Admission, neighbors *limiter.Neighbors) Spacings {
	cfg := limiter.RateConfig{Quota: spacingPerProcessor * limiter.Processors(), Window: spacingWindow, Kept: ratesKept}
	return Spacings{
		Schools:  limiter.NewSpacing(cfg, a.Wait, neighbors),
		Networks: limiter.NewSpacing(cfg, a.Wait, new(limiter.Neighbors)),
		Probes: limiter.NewSpacing(
			limiter.RateConfig{Quota: probesPerSecond, Window: time.Second, Kept: ratesKept}, a.Wait, new(limiter.Neighbors)),
	}
}
