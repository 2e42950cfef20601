// Package event defines the entries of a school's event feed: activities viewed and videos watched
// by learners. The feed is append-only. Its events are in the order in which they were committed.
package event

import (
	"math/big"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

// Kind is what the learner did.
type Kind struct{ name string }

// The kinds of event. Their names are resource types in documents.
var (
	ViewedActivity = Kind{"learner_viewed_activity_events"}
	ViewedVideo    = Kind{"learner_viewed_video_activity_events"}
)

// ParseKind returns the kind with the given name.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{ViewedActivity, ViewedVideo} {
		if k.name == name {
			return k, nil
		}
	}
	return Kind{}, fault.Invalidf("type", "must be one of: %s, %s", ViewedActivity, ViewedVideo)
}

// String returns the kind's name.
func (k Kind) String() string { return k.name }

// Event is an entry of a school's event feed.
type Event struct {
	Position int64 // in the school's feed, ascending; assigned by the store
	Kind     Kind
	Person   person.ID
	Activity activity.ID
	Watched  *Fraction // watched fraction of the video; nil for other kinds
	// CreatedAt is when the event was appended; assigned by the store. Events that are appended
	// together have the same time and are ordered by Position. The time is later than the times of
	// all events appended before.
	CreatedAt  time.Time
	OccurredAt *time.Time // when it took place, according to the client; nil: not given
	ClientID   string     // chosen by the client to identify a repeated report; unique among the events of the person; blank: not given
}

// NewView returns the event that a person viewed an activity.
func NewView(p person.ID, a activity.ID) Event {
	return Event{Kind: ViewedActivity, Person: p, Activity: a}
}

// NewWatch returns the event that a person watched a fraction of the video of an activity.
func NewWatch(p person.ID, a activity.State, watched Fraction) (Event, error) {
	if a.Content.Kind != activity.Video {
		return Event{}, fault.Invalidf("activity", "is not a video")
	}
	return Event{Kind: ViewedVideo, Person: p, Activity: a.ID, Watched: &watched}, nil
}

// Fraction is a fraction in millionths, from 0 to 1,000,000.
type Fraction int64

const fractionDecimals = 6

// NewFraction returns r rounded half up to millionths. If r is below 0 or above 1, it returns an
// Invalid fault on the field percentage_watched.
func NewFraction(r *big.Rat) (Fraction, error) {
	if r.Sign() < 0 || r.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, fault.Invalidf("percentage_watched", "must be between 0 and 1")
	}
	scaled := new(big.Rat).Mul(r, big.NewRat(1e6, 1))
	scaled.Add(scaled, big.NewRat(1, 2))
	return Fraction(new(big.Int).Quo(scaled.Num(), scaled.Denom()).Int64()), nil
}

// The maximum length of a number, and the maximum of its exponent.
const (
	maxDigits   = 100
	maxExponent = 99
)

// ParseFraction parses a JSON number, such as 0.75 or 5e-1, and rounds it like NewFraction. Numbers
// outside the range 0 to 1, numbers with more than 100 characters and exponents outside the range
// -99 to 99 are Invalid.
func ParseFraction(number string) (Fraction, error) {
	r, ok := decimal.Parse(number, maxDigits, maxExponent)
	if !ok {
		return 0, fault.Invalidf("percentage_watched", "is not a valid number, such as 0.75")
	}
	return NewFraction(r)
}

// String returns the fraction as a JSON number without trailing zeros.
func (f Fraction) String() string { return decimal.Format(int64(f), fractionDecimals) }

// Rat returns the exact fraction.
func (f Fraction) Rat() *big.Rat { return decimal.Rat(int64(f), fractionDecimals) }
