package event

import (
	"regexp"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/person"
)

const (
	// ClockSkew is how far the clock of a client may be ahead of the server's clock.
	ClockSkew = 5 * time.Minute
	// MaxClientID is the maximum length of a client id, in characters.
	MaxClientID = 128
)

// clientIDForm matches visible ASCII, which every system compares in the same way.
var clientIDForm = regexp.MustCompile(`^[!-~]{1,128}$`)

// earliest is the earliest valid OccurredAt.
var earliest = time.Unix(0, 0)

// WithClientData returns the event with the data that a client provides: the time at which it took
// place (or nil), and an ID (or ""). The ID must consist of 1 to MaxClientID visible ASCII
// characters. The time is truncated to milliseconds and must be between 1970 and ClockSkew after
// now. All faults are returned together, on the fields client_id and occurred_at.
func (e Event) WithClientData(occurredAt *time.Time, clientID string, now time.Time) (Event, error) {
	var errs []error
	if clientID != "" && !clientIDForm.MatchString(clientID) {
		errs = append(errs, fault.Invalidf("client_id", "must consist of 1 to %d visible ASCII characters", MaxClientID))
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

// ClientKey identifies an event by its client ID. Each person has client IDs of their own, so that the
// events of a learner never depend on those of another one.
type ClientKey struct {
	Person person.ID
	ID     string
}

// ClientKey returns the key of the event. Its ID is blank if the event has no client ID.
func (e Event) ClientKey() ClientKey { return ClientKey{e.Person, e.ClientID} }

// SameAs reports whether the events are equal except for Position and CreatedAt.
func (e Event) SameAs(o Event) bool {
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
