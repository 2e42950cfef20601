package coupon_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = coupon.ID{UUID: uuid.UUID{15: 1}}
)

func day(year int, month time.Month, n int) time.Time {
	return time.Date(year, month, n, 0, 0, 0, 0, time.UTC)
}

// until returns the given day for use as EndOn.
func until(year int, month time.Month, n int) *time.Time {
	t := day(year, month, n)
	return &t
}

// value parses number as the value of a coupon.
func value(t *testing.T, number string) coupon.Value {
	t.Helper()
	v, err := coupon.ParseValue(number)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// spring returns a coupon that is valid in February and March and has been used twice.
func spring(t *testing.T) coupon.State {
	t.Helper()
	return coupon.State{
		ID: id, Code: "Spring", Currency: "EUR", Enabled: true,
		StartOn: day(2026, 2, 1), EndOn: until(2026, 3, 31),
		Format: coupon.Fixed, Value: value(t, "150.5"), UsagesCount: 2, MaximumUsages: 5, CreatedAt: now, UpdatedAt: now,
	}
}

// fields returns the fields of the faults in err.
func fields(err error) []string {
	var names []string
	for _, f := range fault.All(err) {
		names = append(names, f.Field)
	}
	return names
}

func TestNew(t *testing.T) {
	is := is.New(t)
	c, err := coupon.New(id, coupon.Params{
		Code: " Spring ", Currency: "eur", StartOn: day(2026, 2, 1).Add(23 * time.Hour), EndOn: day(2026, 3, 31),
		Format: coupon.Fixed, Value: value(t, "150.5"), MaximumUsages: 5, UsagesCount: 2,
	}, now)
	is.NoErr(err)
	want := spring(t)
	is.Equal(*c.State().EndOn, *want.EndOn)
	want.EndOn = c.State().EndOn
	is.Equal(c.State(), want)
	is.Equal(coupon.Restore(want).State(), want)
}

func TestNewWithoutEndAndDisabled(t *testing.T) {
	is := is.New(t)
	c, err := coupon.New(id, coupon.Params{
		Code: "Half", Currency: "USD", StartOn: now, Format: coupon.Percentage, Value: value(t, "100"),
		MaximumUsages: 1, UsagesCount: 1, Disabled: true,
	}, now)
	is.NoErr(err)
	is.Equal(c.State(), coupon.State{
		ID: id, Code: "Half", Currency: "USD", StartOn: day(2026, 1, 31), Format: coupon.Percentage,
		Value: value(t, "100"), UsagesCount: 1, MaximumUsages: 1, CreatedAt: now, UpdatedAt: now,
	})
}

func TestNewReturnsAllFaults(t *testing.T) {
	for _, tc := range []struct {
		name  string
		terms coupon.Params
		want  []string
	}{
		{
			"nothing is there",
			coupon.Params{},
			[]string{"code", "currency_code", "start_on", "format", "value", "maximum_usages"},
		},
		{
			"everything is wrong",
			coupon.Params{
				Code: "a\x00", Currency: "EURO", StartOn: day(1969, 12, 31), EndOn: day(1969, 1, 1),
				Value: coupon.MaxValue + 1, MaximumUsages: coupon.MaxUsages + 1, UsagesCount: -1,
			},
			[]string{"code", "currency_code", "start_on", "end_on", "format", "value", "maximum_usages", "usages_count"},
		},
		{
			"contradictory values",
			coupon.Params{
				Code: "A", Currency: "EUR", StartOn: day(2026, 2, 2), EndOn: day(2026, 2, 1),
				Format: coupon.Percentage, Value: value(t, "100.0001"), MaximumUsages: 3, UsagesCount: 4,
			},
			[]string{"end_on", "value", "usages_count"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := coupon.New(id, tc.terms, now)
			is.Equal(fields(err), tc.want)
		})
	}
}

// sentences returns the faults in err in the form in which they are logged.
func sentences(err error) []string {
	var all []string
	for _, f := range fault.All(err) {
		all = append(all, f.Error())
	}
	return all
}
