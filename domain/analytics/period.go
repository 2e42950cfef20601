package analytics

import "lyceum/domain/fault"

// Period is the number of weeks of statistics, up to this week. The zero value is no period.
type Period struct {
	name  string
	weeks int
}

// The periods. AllWeeks is limited to ten years, and begins with the first week that has records.
var (
	FourWeeks   = Period{"4", 4}
	TwelveWeeks = Period{"12", 12}
	Year        = Period{"52", 52}
	AllWeeks    = Period{"all", 520}
)

// Periods returns every period, from the shortest to the longest.
func Periods() []Period { return []Period{FourWeeks, TwelveWeeks, Year, AllWeeks} }

// ParsePeriod returns the period with the given name.
func ParsePeriod(name string) (Period, error) {
	for _, p := range Periods() {
		if p.name == name {
			return p, nil
		}
	}
	return Period{}, fault.Malformedf("period", "must be one of: 4, 12, 52, all")
}

// String returns the name of the period: its number of weeks, or all.
func (p Period) String() string { return p.name }

// Weeks returns the maximum number of weeks.
func (p Period) Weeks() int { return p.weeks }

// IsZero reports whether p is no period.
func (p Period) IsZero() bool { return p == Period{} }
