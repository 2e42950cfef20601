package event

import (
	"regexp"
	"time"

	"lyceum/domain/fault"
)

const (
	// ClockSkew is how far the clock of a client may be ahead.
	ClockSkew = 5 * time.Minute
	// MaxClientID is the longest id that a client may give.
	MaxClientID = 128
)

// clientIDForm is visible ASCII, so that an id is the same text everywhere.
var clientIDForm = regexp.MustCompile(`^[!-~]{1,128}$`)

// earliest is the first instant at which something can have taken place.
var earliest = time.Unix(0, 0)

// Reported returns the event with what a client says of it: when it took place,
// nil when it does not say, and an id of its own, blank when it gives none. An id
// is 1 to MaxClientID visible ASCII characters; an instant, of which the
// milliseconds are kept, lies from 1970 on and not beyond now by more than
// ClockSkew. All that is wrong is Invalid, on the fields client_id and occurred_at.
func (e Event) Reported(occurredAt *time.Time, clientID string, now time.Time) (Event, error) {
	var errs []error
	if clientID != "" && !clientIDForm.MatchString(clientID) {
		errs = append(errs, fault.Invalidf("client_id", "must be 1 to %d visible ASCII characters", MaxClientID))
	}
	if occurredAt != nil {
		at := occurredAt.UTC().Truncate(time.Millisecond)
		switch {
		case at.Before(earliest):
			errs = append(errs, fault.Invalidf("occurred_at", "must not be before 1970"))
		case at.After(now.Add(ClockSkew)):
			errs = append(errs, fault.Invalidf("occurred_at", "must not be in the future"))
		}
		e.OccurredAt = &at
	}
	e.ClientID = clientID
	if err := fault.Join(errs...); err != nil {
		return Event{}, err
	}
	return e, nil
}

// Repeats tells whether the event says the same as o, whenever each of them came
// into the feed.
func (e Event) Repeats(o Event) bool {
	return e.ClientID == o.ClientID && e.Kind == o.Kind && e.Person == o.Person && e.Activity == o.Activity &&
		same(e.Watched, o.Watched, func(a, b Fraction) bool { return a == b }) &&
		same(e.OccurredAt, o.OccurredAt, time.Time.Equal)
}

func same[T any](a, b *T, equal func(a, b T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(*a, *b)
}
