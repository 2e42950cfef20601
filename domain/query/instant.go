package query

import (
	"regexp"
	"strings"
	"time"
)

// timestampForm matches RFC 3339 timestamps with at most nine fraction digits. The offset is
// optional. Its plus sign may be a space, because form decoding replaces a plus sign with a space.
var timestampForm = regexp.MustCompile(
	`^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+ -](?:[01]\d|2[0-3]):[0-5]\d)?$`)

// parseDate parses s as a day in UTC and returns the range of the day. The parameter otherwise is
// the error to return if s is not a date.
func parseDate(s string, otherwise error) (Value, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Value{}, otherwise
	}
	return Value{From: day, To: day.AddDate(0, 0, 1)}, nil
}

// parseTimestamp parses s as an operand of op. A date is the range of the whole day. For equality,
// a time is the range of all times that begin with the same digits; for other predicates, it is the
// single instant.
//
// Attributes have whole milliseconds. A bound between two milliseconds is moved to the later one,
// which does not change which attributes match.
func parseTimestamp(op Op, s string) (Value, error) {
	form := timestampForm.FindStringSubmatch(s)
	if form == nil {
		return parseDate(s, errTimestamp)
	}
	day, clock, fraction, offset := form[1], form[2], form[3], form[4]
	switch {
	case offset == "" || offset == "z":
		offset = "Z"
	case offset[0] == ' ':
		offset = "+" + offset[1:]
	}
	t, err := time.Parse(time.RFC3339Nano, day+"T"+clock+"."+fraction+strings.Repeat("0", 9-len(fraction))+offset)
	if err != nil {
		return Value{}, errTimestamp
	}
	t = t.UTC()
	if op == Eq || op == NotEq {
		return Value{From: ceil(t), To: ceil(t.Add(precision(len(fraction))))}, nil
	}
	return Value{From: ceil(t), To: t.Truncate(time.Millisecond).Add(time.Millisecond)}, nil
}

// precision returns the length of the range that a fraction with the given number of digits stands
// for.
func precision(digits int) time.Duration {
	span := time.Second
	for range digits {
		span /= 10
	}
	return span
}

// ceil returns the first whole millisecond that is not before t.
func ceil(t time.Time) time.Time {
	whole := t.Truncate(time.Millisecond)
	if whole.Before(t) {
		whole = whole.Add(time.Millisecond)
	}
	return whole
}
