package coupon_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"lyceum/domain/coupon"
)

func to[T any](v T) *T { return &v }

func TestUpdate(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change coupon.Changes
		want   func(s *coupon.State)
	}{
		{"another code", coupon.Changes{Code: to(" Summer ")}, func(s *coupon.State) { s.Code = "Summer" }},
		{"a code in other letters", coupon.Changes{Code: to("SPRING")}, func(s *coupon.State) { s.Code = "SPRING" }},
		{"another currency", coupon.Changes{Currency: to(" jPy ")}, func(s *coupon.State) { s.Currency = "JPY" }},
		{"an earlier start", coupon.Changes{StartOn: to(day(2026, 1, 1))}, func(s *coupon.State) { s.StartOn = day(2026, 1, 1) }},
		{"a start on the last day", coupon.Changes{StartOn: to(day(2026, 3, 31))}, func(s *coupon.State) { s.StartOn = day(2026, 3, 31) }},
		{"an end on the first day", coupon.Changes{EndOn: to(day(2026, 2, 1))}, func(s *coupon.State) { s.EndOn = until(2026, 2, 1) }},
		{"no end", coupon.Changes{EndOn: to(time.Time{})}, func(s *coupon.State) { s.EndOn = nil }},
		{
			"both days",
			coupon.Changes{StartOn: to(day(2027, 1, 1)), EndOn: to(day(2027, 1, 1))},
			func(s *coupon.State) { s.StartOn, s.EndOn = day(2027, 1, 1), until(2027, 1, 1) },
		},
		{
			"a percentage",
			coupon.Changes{Format: to(coupon.Percentage), Value: to(value(t, "100"))},
			func(s *coupon.State) { s.Format, s.Value = coupon.Percentage, value(t, "100") },
		},
		{"another value", coupon.Changes{Value: to(value(t, "0.0001"))}, func(s *coupon.State) { s.Value = value(t, "0.0001") }},
		{"as many usages as there were", coupon.Changes{MaximumUsages: to(int64(2))}, func(s *coupon.State) { s.MaximumUsages = 2 }},
		{"as many as possible", coupon.Changes{MaximumUsages: to(int64(coupon.MaxUsages))}, func(s *coupon.State) { s.MaximumUsages = coupon.MaxUsages }},
		{"disabled", coupon.Changes{Enabled: to(false)}, func(s *coupon.State) { s.Enabled = false }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c, want := coupon.Restore(spring(t)), spring(t)
			is.NoErr(c.Update(tc.change, laterTime))
			tc.want(&want)
			want.UpdatedAt = laterTime
			is.Equal(cmp.Diff(c.State(), want, cmp.AllowUnexported(coupon.Format{})), "")
			is.NoErr(c.Update(tc.change, laterTime.Add(time.Hour))) // applying the same change again changes nothing
			is.Equal(c.State().UpdatedAt, laterTime)
		})
	}
}

func TestUpdateWithoutEffectKeepsUpdatedAt(t *testing.T) {
	s := spring(t)
	for name, change := range map[string]coupon.Changes{
		"nothing": {},
		"the same": {
			Code: &s.Code, Currency: to("eur"), StartOn: &s.StartOn, EndOn: to(*s.EndOn), Format: &s.Format, Value: &s.Value,
			MaximumUsages: &s.MaximumUsages, Enabled: &s.Enabled,
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := coupon.Restore(s)
			is.NoErr(c.Update(change, laterTime))
			is.Equal(c.State(), s)
		})
	}
}

func TestUpdateInvalid(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change coupon.Changes
		want   []string
	}{
		{"no code", coupon.Changes{Code: to(" ")}, []string{"invalid: code: can't be blank"}},
		{"no currency", coupon.Changes{Currency: to("")}, []string{"invalid: currency_code: can't be blank"}},
		{"two letters", coupon.Changes{Currency: to("EU")}, []string{"invalid: currency_code: is not a valid currency code, such as EUR"}},
		{"digits", coupon.Changes{Currency: to("E1R")}, []string{"invalid: currency_code: is not a valid currency code, such as EUR"}},
		{"a letter whose capital is an I", coupon.Changes{Currency: to("ıR")}, []string{"invalid: currency_code: is not a valid currency code, such as EUR"}},
		{"no start", coupon.Changes{StartOn: to(time.Time{})}, []string{"invalid: start_on: can't be blank"}},
		{"a start after the end", coupon.Changes{StartOn: to(day(2026, 4, 1))}, []string{"invalid: start_on: must not be after end_on (2026-03-31)"}},
		{"an end before the start", coupon.Changes{EndOn: to(day(2026, 1, 31))}, []string{"invalid: end_on: must not be before start_on (2026-02-01)"}},
		{
			"both days",
			coupon.Changes{StartOn: to(day(2026, 1, 2)), EndOn: to(day(2026, 1, 1))},
			[]string{"invalid: end_on: must not be before start_on (2026-01-02)"},
		},
		{"no format", coupon.Changes{Format: &coupon.Format{}}, []string{"invalid: format: can't be blank"}},
		{
			"a percentage of too much",
			coupon.Changes{Format: to(coupon.Percentage)},
			[]string{"invalid: format: cannot be percentage while the value is 150.5 (maximum is 100)"},
		},
		{
			"too large a percentage",
			coupon.Changes{Format: to(coupon.Percentage), Value: to(value(t, "100.0001"))},
			[]string{"invalid: value: must be at most 100 for a percentage"},
		},
		{
			"a percentage that is wrong by itself",
			coupon.Changes{Format: to(coupon.Percentage), Value: to(coupon.Value(0))},
			[]string{"invalid: value: must be greater than 0"},
		},
		{"no usages", coupon.Changes{MaximumUsages: to(int64(0))}, []string{"invalid: maximum_usages: must be between 1 and 1000000000"}},
		{"too many usages", coupon.Changes{MaximumUsages: to(int64(coupon.MaxUsages + 1))}, []string{"invalid: maximum_usages: must be between 1 and 1000000000"}},
		{
			"fewer usages than there were",
			coupon.Changes{MaximumUsages: to(int64(1))},
			[]string{"invalid: maximum_usages: must be at least 2, the number of times the coupon has been used"},
		},
		{
			"much",
			coupon.Changes{Code: to(""), StartOn: to(day(2026, 4, 1)), MaximumUsages: to(int64(1)), Enabled: to(false)},
			[]string{
				"invalid: code: can't be blank", "invalid: start_on: must not be after end_on (2026-03-31)",
				"invalid: maximum_usages: must be at least 2, the number of times the coupon has been used",
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := coupon.Restore(spring(t))
			before := c.State()
			err := c.Update(tc.change, laterTime)
			is.Equal(sentences(err), tc.want)
			is.Equal(c.State(), before)
		})
	}
}
