package pgdb

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// UTC returns t in UTC, or nil if t is nil. The driver returns instants in the time zone of the
// session.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// Instant returns t as text for an array parameter.
func Instant(t time.Time) string { return t.Format(time.RFC3339Nano) }

// OptionalInstant is like Instant, but returns nil if t is nil.
func OptionalInstant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := Instant(*t)
	return &s
}

// An IDArray is the destination for scanning a uuid[].
type IDArray []uuid.UUID

// Scan implements sql.Scanner. It reads the text form {id,id,…}; null is an empty array.
func (a *IDArray) Scan(src any) error {
	var text []byte
	switch src := src.(type) {
	case nil:
	case []byte:
		text = src
	case string:
		text = []byte(src)
	default:
		return fmt.Errorf("unexpected type %T of a uuid array", src)
	}
	const width = 36
	*a = nil
	for i := 1; i+width < len(text); i += width + 1 {
		id, err := uuid.ParseBytes(text[i : i+width])
		if err != nil {
			return fmt.Errorf("invalid element %q of a uuid array", text[i:i+width])
		}
		*a = append(*a, id)
	}
	return nil
}

// IDStrings returns ids as texts for an array parameter.
func IDStrings[T interface{ String() string }](ids []T) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}

// Corrupt returns the error for a row that contains a value unknown to the domain. The error is a
// defect and not a fault, because a client cannot fix it.
func Corrupt(table string, id uuid.UUID, err error) error {
	return fmt.Errorf("postgres: read from %s: row %s: %v", table, id, err) //lint:ignore errorlint not the client's fault
}
