package jsonapi

import "time"

// Timestamp returns t in RFC 3339, in UTC with milliseconds.
func Timestamp(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
