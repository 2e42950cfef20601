package httpapi

import "time"

// timestamp returns t as documents show it: UTC, with milliseconds.
func timestamp(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// optionalTimestamp is timestamp for a time that may be absent: null then.
func optionalTimestamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := timestamp(*t)
	return &s
}

// date returns the UTC day of t as documents show it.
func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// optionalDate is date for a day that may be absent: null then.
func optionalDate(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := date(*t)
	return &s
}
