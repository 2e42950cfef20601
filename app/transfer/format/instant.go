package format

import (
	"errors"
	"strings"
	"time"
)

// instantForm is the format of an instant: UTC, with milliseconds.
const instantForm = "2006-01-02T15:04:05.000Z07:00"

// The years to which instants are limited.
const firstYear, lastYear = 1900, 9999

// Instant is an instant in UTC with a precision of milliseconds. The zero value means no instant.
type Instant struct{ time.Time }

// NewInstant returns t as an Instant.
func NewInstant(t time.Time) Instant { return Instant{t} }

// OptionalInstant returns the instant that t points to; zero if t is nil.
func OptionalInstant(t *time.Time) Instant {
	if t == nil {
		return Instant{}
	}
	return Instant{*t}
}

// Or returns i, or fallback if i is zero.
func (i Instant) Or(fallback time.Time) time.Time {
	if i.IsZero() {
		return fallback
	}
	return i.Time
}

// MarshalJSON implements json.Marshaler.
func (i Instant) MarshalJSON() ([]byte, error) {
	return []byte(`"` + i.UTC().Format(instantForm) + `"`), nil
}

var errInstant = errors.New("is not a valid timestamp, such as 2026-01-31T15:04:05.123Z")

// UnmarshalJSON implements json.Unmarshaler. It accepts any offset from UTC, but no fractions of a
// millisecond, which the stores would lose.
func (i *Instant) UnmarshalJSON(b []byte) error {
	s := string(b)
	if s == "null" {
		return nil
	}
	text, begins := strings.CutPrefix(s, `"`)
	text, ends := strings.CutSuffix(text, `"`)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || !begins || !ends {
		return errInstant
	}
	t = t.UTC()
	if y := t.Year(); y < firstYear || y > lastYear || !t.Equal(t.Truncate(time.Millisecond)) {
		return errInstant
	}
	i.Time = t
	return nil
}
