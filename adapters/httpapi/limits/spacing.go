package limits

import (
	"runtime"
	"time"

	"lyceum/adapters/admission"
)

const (
	// spacingWindow and spacingPerProcessor are how many requests begin in which
	// time: those of a school while another is active, and those of a network that
	// show no key. A processor answers some fifteen times as many of the cheapest.
	spacingWindow       = 10 * time.Millisecond
	spacingPerProcessor = 10
)

// Spacings spread requests over time, so that a burst of one client is no queue in
// front of the requests of others: what is read, refused and sent outside the slots
// takes processor time too.
type Spacings struct{ Schools, Networks *admission.Spacing }

func NewSpacings(a Admission) Spacings {
	cfg := admission.RateConfig{Quota: spacingPerProcessor * runtime.GOMAXPROCS(0), Window: spacingWindow, Kept: ratesKept}
	return Spacings{Schools: admission.NewSpacing(cfg, a.Wait), Networks: admission.NewSpacing(cfg, a.Wait)}
}
