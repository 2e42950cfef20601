package coupon

import (
	"time"

	"lyceum/domain/fault"
)

// The years of the first and last valid day.
const firstYear, lastYear = 1970, 9999

// ParseDay parses a day such as 2026-01-31. field is the attribute of the fault if text is blank or
// invalid.
func ParseDay(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, fault.Blank(field)
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, fault.Invalidf(field, "is not a valid date, such as 2026-01-31")
	}
	return checkDay(field, day)
}

// checkDay returns midnight UTC of the day of t, or a fault if the year is out of range.
func checkDay(field string, t time.Time) (time.Time, error) {
	year, month, day := t.UTC().Date()
	if year < firstYear || year > lastYear {
		return time.Time{}, fault.Invalidf(field, "must be between the years %d and %d", firstYear, lastYear)
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), nil
}
