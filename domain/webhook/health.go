package webhook

import (
	"time"

	"lyceum/domain/job"
)

// pauses are the pauses of an endpoint that does not respond. They are short, because one message
// of many may be the reason.
var pauses = job.RetryPolicy{MaxAttempts: 1 << 30, InitialDelay: 5 * time.Second, MaxDelay: 10 * time.Minute}

// gone is the status of a response that says that the endpoint no longer exists (RFC 9110, 15.5.11).
const gone = 410

// Health is the result of the latest deliveries to an endpoint.
type Health struct {
	FailingSince *time.Time // the first failure after the last success; nil: the last one succeeded
	Unanswered   int        // number of consecutive batches with a failure without a response
	PausedUntil  *time.Time // the server sends nothing before; nil: no pause
}

// Resume returns the given time, or the end of the pause if that is later.
func (h Health) Resume(at time.Time) time.Time {
	if h.PausedUntil != nil && h.PausedUntil.After(at) {
		return *h.PausedUntil
	}
	return at
}

// Result is the result of one attempt to deliver a message.
type Result struct {
	Status   int    // status of the response; 0: no response
	Error    string // why there was no response
	Duration time.Duration
}

// Succeeded reports whether the endpoint has accepted the message.
func (r Result) Succeeded() bool { return r.Status >= 200 && r.Status < 300 }

// Record updates the health of the endpoint after an attempt. It disables the endpoint if it has
// failed for the whole Period, or if its status says that it no longer exists. spread, from 0 to 1,
// lengthens a pause.
func (e *Endpoint) Record(r Result, spread float64, now time.Time) {
	switch {
	case r.Succeeded():
		e.Health = Health{}
		return
	case r.Status == gone:
		e.disable(now, "The endpoint responded with 410 Gone")
	case e.Health.FailingSince == nil:
		e.Health.FailingSince = &now
	case !now.Before(e.Health.FailingSince.Add(Period)):
		e.disable(now, "No delivery has succeeded since %s", e.Health.FailingSince.Format(time.RFC3339))
	}
	if r.Status != 0 {
		e.Health.Unanswered, e.Health.PausedUntil = 0, nil
		return
	}
	if e.Health.Resume(now).After(now) {
		return // other messages of the same batch got no response either
	}
	e.Health.Unanswered++
	until, _ := pauses.Next(e.Health.Unanswered, spread, now)
	e.Health.PausedUntil = &until
}
