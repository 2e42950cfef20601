package format

import (
	"errors"
	"strings"
	"time"
)

// instantForm is how an instant is written: in UTC, with milliseconds.
const instantForm = "2006-01-02T15:04:05.000Z07:00"

// The years in which an instant may lie.
const firstYear, lastYear = 1900, 9999

// Instant is an instant in UTC of whole milliseconds; zero is none.
type Instant struct{ time.Time }

// At returns the instant t.
func At(t time.Time) Instant { return Instant{t} }

// AtOrNone returns the instant that t points to, none when that is nil.
func AtOrNone(t *time.Time) Instant {
	if t == nil {
		return Instant{}
	}
	return Instant{*t}
}

// Or returns the instant, or that of instead when it is none.
func (i Instant) Or(instead time.Time) time.Time {
	if i.IsZero() {
		return instead
	}
	return i.Time
}

// MarshalJSON writes the instant.
func (i Instant) MarshalJSON() ([]byte, error) {
	return []byte(`"` + i.UTC().Format(instantForm) + `"`), nil
}

var errInstant = errors.New("is not an instant such as 2026-01-31T15:04:05.123Z")

// UnmarshalJSON reads an instant of any offset from UTC. What is finer than a
// millisecond is refused: it could not be kept.
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
