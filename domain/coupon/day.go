package coupon

import (
	"time"

	"lyceum/domain/fault"
)

// The years in which a coupon may begin and end.
const firstYear, lastYear = 1970, 9999

// ParseDay returns the day that text, such as 2026-01-31, stands for; field is
// the attribute at fault when it stands for none, or is blank.
func ParseDay(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, fault.Blank(field)
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, fault.Invalidf(field, "is not a date such as 2026-01-31")
	}
	return checkDay(field, day)
}

// checkDay returns the UTC day in which t is.
func checkDay(field string, t time.Time) (time.Time, error) {
	year, month, day := t.UTC().Date()
	if year < firstYear || year > lastYear {
		return time.Time{}, fault.Invalidf(field, "must be in the years %d to %d", firstYear, lastYear)
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), nil
}
