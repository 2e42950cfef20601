package coupon

import (
	"slices"
	"strings"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Change is what may be changed of a coupon; nil leaves it as it is.
type Change struct {
	Code, Currency *string
	StartOn        *time.Time
	EndOn          *time.Time // the zero time takes the end away
	Format         *Format
	Value          *Value
	MaximumUsages  *int64
	Enabled        *bool
}

// Change changes the coupon. Its code obeys text.Name; the currency is three
// letters, of which small ones are made capitals; the days are in the years 1970
// to 9999, the last not before the first; a percentage is at most 100; and there
// are at least as many usages as there have been. All that is wrong is told at
// once. What changes nothing leaves the time of the last change as it is.
func (c *Coupon) Change(ch Change, now time.Time) error {
	next, err := ch.apply(c.s)
	if err != nil || next == c.s {
		return err
	}
	next.UpdatedAt = now
	c.s = next
	return nil
}

// apply returns s with the change. The rules on several attributes pass over a
// value that is wrong by itself, and blame no attribute that is blamed already.
func (ch Change) apply(s State) (State, error) {
	err := fault.Join(
		set(&s.Code, ch.Code, func(code string) (string, error) { return text.Name("code", code) }),
		set(&s.Currency, ch.Currency, currency),
		set(&s.StartOn, ch.StartOn, startOn),
		setEnd(&s.EndOn, ch.EndOn),
		set(&s.Format, ch.Format, known),
		set(&s.Value, ch.Value, within),
		set(&s.MaximumUsages, ch.MaximumUsages, allowed),
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

// set makes attribute what was sent, if anything was, unless rule refuses it.
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
	if err == nil && (*attribute == nil || !day.Equal(**attribute)) { // the same day is no change
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
		return "", fault.Invalidf("currency_code", "is not a currency code of three letters such as EUR")
	}
	return strings.ToUpper(code), nil
}

func startOn(t time.Time) (time.Time, error) {
	if t.IsZero() {
		return t, fault.Blank("start_on")
	}
	return checkDay("start_on", t)
}

func known(f Format) (Format, error) { return ParseFormat(f.name) }

func allowed(usages int64) (int64, error) {
	if usages < 1 || usages > MaxUsages {
		return 0, fault.Invalidf("maximum_usages", "must be from 1 to %d", MaxUsages)
	}
	return usages, nil
}

// checkDays blames the day that was sent.
func (ch Change) checkDays(s State) error {
	switch {
	case s.EndOn == nil || !s.EndOn.Before(s.StartOn):
		return nil
	case ch.EndOn == nil:
		return fault.Invalidf("start_on", "must not be after end_on, which is %s", s.EndOn.Format(time.DateOnly))
	}
	return fault.Invalidf("end_on", "must not be before start_on, which is %s", s.StartOn.Format(time.DateOnly))
}

// checkPercentage blames what was sent, the format or the value.
func (ch Change) checkPercentage(s State) error {
	switch {
	case s.Format != Percentage || s.Value <= hundred:
		return nil
	case ch.Value == nil:
		return fault.Invalidf("format", "cannot be percentage while the value is %s: 100 is all of a price", s.Value)
	}
	return fault.Invalidf("value", "must be at most 100, for it is a percentage")
}

func (ch Change) checkMaximum(s State) error {
	if ch.MaximumUsages != nil && s.MaximumUsages < s.UsagesCount {
		return fault.Invalidf("maximum_usages", "must be at least %d, for so often has the coupon been used", s.UsagesCount)
	}
	return nil
}
