package pgdb

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Utc returns t in UTC; the driver gives instants in the session's time zone.
func Utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// Instant returns t in the form that pq.Array takes.
func Instant(t time.Time) string { return t.Format(time.RFC3339Nano) }

// OptionalInstant is instant for one that may be absent: null then.
func OptionalInstant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := Instant(*t)
	return &s
}

// IDArray reads a uuid[].
type IDArray []uuid.UUID

// Scan reads the array's text form, {id,id,…}. A null is an empty array.
func (a *IDArray) Scan(src any) error {
	var text []byte
	switch src := src.(type) {
	case nil:
	case []byte:
		text = src
	case string:
		text = []byte(src)
	default:
		return fmt.Errorf("a uuid array comes as %T", src)
	}
	const width = 36
	*a = nil
	for i := 1; i+width < len(text); i += width + 1 {
		id, err := uuid.ParseBytes(text[i : i+width])
		if err != nil {
			return fmt.Errorf("a uuid array holds %q", text[i:i+width])
		}
		*a = append(*a, id)
	}
	return nil
}

// IDStrings returns ids in the form that pq.Array takes.
func IDStrings[T interface{ String() string }](ids []T) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}

// Corrupt says that a row holds what the domain does not know. It is no fault:
// nobody who asks can mend it.
func Corrupt(table string, id uuid.UUID, err error) error {
	return fmt.Errorf("postgres: read from %s: row %s: %v", table, id, err) //lint:ignore errorlint not the client's fault
}
