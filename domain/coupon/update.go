package coupon

import (
	"slices"
	"strings"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Changes contains new values for the attributes of a coupon. A nil field leaves its attribute
// unchanged.
type Changes struct {
	Code, Currency *string
	StartOn        *time.Time
	EndOn          *time.Time // the zero time removes the end
	Format         *Format
	Value          *Value
	MaximumUsages  *int64
	Enabled        *bool

	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(State) error
}

// Update applies ch. The code must satisfy text.Name, and the currency must have three letters; it
// is converted to uppercase. The days must be in the years 1970 to 9999, and EndOn must not be
// before StartOn. A percentage must be at most 100, and MaximumUsages at least UsagesCount. All
// faults are returned together. An update that changes nothing leaves UpdatedAt unchanged.
func (c *Coupon) Update(ch Changes, now time.Time) error {
	if ch.Check != nil {
		if err := ch.Check(c.s); err != nil {
			return err
		}
	}
	next, err := ch.apply(c.s)
	if err != nil || next == c.s {
		return err
	}
	next.UpdatedAt = now
	c.s = next
	return nil
}

// apply returns s with the changes. A rule about several attributes is skipped if one of them is
// invalid, so that each attribute has at most one fault.
func (ch Changes) apply(s State) (State, error) {
	err := fault.Join(
		set(&s.Code, ch.Code, func(code string) (string, error) { return text.Name("code", code) }),
		set(&s.Currency, ch.Currency, currency),
		set(&s.StartOn, ch.StartOn, startOn),
		setEnd(&s.EndOn, ch.EndOn),
		set(&s.Format, ch.Format, checkFormat),
		set(&s.Value, ch.Value, checkValue),
		set(&s.MaximumUsages, ch.MaximumUsages, checkMaximumUsages),
		set(&s.Enabled, ch.Enabled, func(enabled bool) (bool, error) { return enabled, nil }),
	)
	together := fault.All(fault.Join(ch.checkDays(s), ch.checkPercentage(s), ch.checkMaximum(s)))
	for _, f := range together {
		if !slices.ContainsFunc(fault.All(err), func(other *fault.Fault) bool { return other.Field == f.Field }) {
			err = fault.Join(err, f)
		}
	}
	return s, err
}

// set assigns *sent, normalized by rule, to *attribute. It does nothing if sent is nil or if rule
// returns a fault.
func set[T any](attribute, sent *T, rule func(T) (T, error)) error {
	if sent == nil {
		return nil
	}
	v, err := rule(*sent)
	if err == nil {
		*attribute = v
	}
	return err
}

func setEnd(attribute **time.Time, sent *time.Time) error {
	if sent == nil {
		return nil
	}
	if sent.IsZero() {
		*attribute = nil
		return nil
	}
	day, err := checkDay("end_on", *sent)
	if err == nil && (*attribute == nil || !day.Equal(**attribute)) { // Update compares the states with ==
		*attribute = &day
	}
	return err
}

func currency(code string) (string, error) {
	code = strings.TrimSpace(code)
	if code == "" {
		return "", fault.Blank("currency_code")
	}
	const length = 3
	foreign := func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }
	if len(code) != length || strings.ContainsFunc(code, foreign) {
		return "", fault.Invalidf("currency_code", "is not a valid currency code, such as EUR")
	}
	return strings.ToUpper(code), nil
}

func startOn(t time.Time) (time.Time, error) {
	if t.IsZero() {
		return t, fault.Blank("start_on")
	}
	return checkDay("start_on", t)
}

func checkFormat(f Format) (Format, error) { return ParseFormat(f.name) }

func checkMaximumUsages(usages int64) (int64, error) {
	if usages < 1 || usages > MaxUsages {
		return 0, fault.Invalidf("maximum_usages", "must be between 1 and %d", MaxUsages)
	}
	return usages, nil
}

// checkDays returns a fault if StartOn is after EndOn. The fault is on the day that the update
// changes.
func (ch Changes) checkDays(s State) error {
	switch {
	case s.EndOn == nil || !s.EndOn.Before(s.StartOn):
		return nil
	case ch.EndOn == nil:
		return fault.Invalidf("start_on", "must not be after end_on (%s)", s.EndOn.Format(time.DateOnly))
	}
	return fault.Invalidf("end_on", "must not be before start_on (%s)", s.StartOn.Format(time.DateOnly))
}

// checkPercentage returns a fault if a percentage is too large. The fault is on the attribute that
// the update changes, the value or the format.
func (ch Changes) checkPercentage(s State) error {
	switch {
	case s.Format != Percentage || s.Value <= hundred:
		return nil
	case ch.Value == nil:
		return fault.Invalidf("format", "cannot be percentage while the value is %s (maximum is 100)", s.Value)
	}
	return fault.Invalidf("value", "must be at most 100 for a percentage")
}

func (ch Changes) checkMaximum(s State) error {
	if ch.MaximumUsages != nil && s.MaximumUsages < s.UsagesCount {
		return fault.Invalidf("maximum_usages", "must be at least %d, the number of times the coupon has been used", s.UsagesCount)
	}
	return nil
}
