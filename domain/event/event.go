// Package event is what the feed tells: that a learner has viewed something. The
// feed is append-only and in the order of its commits.
package event

import (
	"math/big"
	"regexp"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

// Kind is what has happened.
type Kind struct{ name string }

// The kinds of event, by the types under which documents show them.
var (
	ViewedActivity = Kind{"learner_viewed_activity_events"}
	ViewedVideo    = Kind{"learner_viewed_video_activity_events"}
)

// ParseKind returns the kind called name.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{ViewedActivity, ViewedVideo} {
		if k.name == name {
			return k, nil
		}
	}
	return Kind{}, fault.Invalidf("type", "is not one of %s, %s", ViewedActivity, ViewedVideo)
}

// String returns the kind's name.
func (k Kind) String() string { return k.name }

// Event is an entry of a school's feed.
type Event struct {
	Position int64 // in the school's feed: each is greater than those before; the store assigns it
	Kind     Kind
	Person   person.ID
	Activity activity.ID
	Watched  *Fraction // of a video; nil for other kinds
	// CreatedAt is when the event came into the feed; the store assigns it. Events
	// that come at once, by one request, share it, and their positions tell their
	// order; it is later than that of all that were in the feed before them.
	CreatedAt time.Time
	// What the client says of the event, when it says anything.
	OccurredAt *time.Time // when it took place
	ClientID   string     // by which a repeat is told; no two events of a school have the same
}

// View returns the event that a person has viewed an activity.
func View(p person.ID, a activity.ID) Event {
	return Event{Kind: ViewedActivity, Person: p, Activity: a}
}

// Watch returns the event that a person has watched so much of the video of an
// activity, which must be one.
func Watch(p person.ID, a activity.State, watched Fraction) (Event, error) {
	if a.Content.Kind != activity.Video {
		return Event{}, fault.Invalidf("activity", "is not a video")
	}
	return Event{Kind: ViewedVideo, Person: p, Activity: a.ID, Watched: &watched}, nil
}

// Fraction is a part of a whole in millionths, from 0 to 1,000,000.
type Fraction int64

const fractionDecimals = 6

// NewFraction returns r rounded half up to millionths. What is not from 0 to 1 is
// Invalid on the field percentage_watched.
func NewFraction(r *big.Rat) (Fraction, error) {
	if r.Sign() < 0 || r.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, fault.Invalidf("percentage_watched", "must be from 0 to 1")
	}
	scaled := new(big.Rat).Mul(r, big.NewRat(1e6, 1))
	scaled.Add(scaled, big.NewRat(1, 2))
	return Fraction(new(big.Int).Quo(scaled.Num(), scaled.Denom()).Int64()), nil
}

// numberForm is a number as JSON writes it, with its exponent.
var numberForm = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]{1,2}))?$`)

// maxDigits bounds how a number is written; it comes before any calculation.
const maxDigits = 100

// ParseFraction is NewFraction of a JSON number, such as 0.75 or 5e-1. One of
// more than 100 characters, or with an exponent of more than two digits, is
// Invalid too.
func ParseFraction(number string) (Fraction, error) {
	if len(number) > maxDigits || !numberForm.MatchString(number) {
		return 0, fault.Invalidf("percentage_watched", "is not a number of sensible size, such as 0.75")
	}
	r, _ := new(big.Rat).SetString(number) // the form is right
	return NewFraction(r)
}

// String returns the fraction as a JSON number without trailing zeros.
func (f Fraction) String() string { return decimal.Format(int64(f), fractionDecimals) }

// Rat returns the fraction exactly.
func (f Fraction) Rat() *big.Rat { return decimal.Rat(int64(f), fractionDecimals) }
