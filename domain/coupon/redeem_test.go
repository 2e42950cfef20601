package coupon_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
)

func TestCheckRedeemable(t *testing.T) {
	first, last := day(2026, 2, 1), day(2026, 4, 1).Add(-time.Millisecond)
	east, west := time.FixedZone("", 14*60*60), time.FixedZone("", -12*60*60)
	for _, tc := range []struct {
		name   string
		at     time.Time
		change func(s *coupon.State)
		want   string // the attribute that prevents the use
	}{
		{"from the first instant", first, nil, ""},
		{"to the last", last, nil, ""},
		{"an instant before", first.Add(-time.Millisecond), nil, "start_on"},
		{"an instant after", last.Add(time.Millisecond), nil, "end_on"},
		{"on a later day elsewhere", last.In(east), nil, ""},
		{"on an earlier day elsewhere", first.In(west), nil, ""},
		{"without an end", day(9999, 12, 31), func(s *coupon.State) { s.EndOn = nil }, ""},
		{"on its only day", day(2026, 2, 1).Add(23 * time.Hour), func(s *coupon.State) { s.EndOn = until(2026, 2, 1) }, ""},
		{"disabled", first, func(s *coupon.State) { s.Enabled = false }, "enabled"},
		{"for the last time", first, func(s *coupon.State) { s.UsagesCount = 4 }, ""},
		{"used up", first, func(s *coupon.State) { s.UsagesCount = 5 }, "usages_count"},
		{"disabled and used up", first, func(s *coupon.State) { s.Enabled, s.UsagesCount = false, 5 }, "enabled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s := spring(t)
			if tc.change != nil {
				tc.change(&s)
			}
			c := coupon.Restore(s)
			err := c.Redeem(tc.at)
			is.Equal(s.CheckRedeemable(tc.at), err)
			if tc.want == "" {
				is.NoErr(err)
				s.UsagesCount++
			} else {
				is.True(fault.Is(err, fault.Invalid))
				is.Equal(fields(err), []string{tc.want})
			}
			is.Equal(c.State(), s) // a refused redemption changes nothing; an accepted one changes only the usage count
		})
	}
}

func TestRedeemStopsAtMaximumUsages(t *testing.T) {
	is := is.New(t)
	c := coupon.Restore(spring(t)) // used 2 of 5 times
	for range 3 {
		is.NoErr(c.Redeem(day(2026, 2, 1)))
	}
	is.True(c.Redeem(day(2026, 2, 1)) != nil)
	is.Equal(c.State().UsagesCount, int64(5))
	is.NoErr(c.Update(coupon.Changes{MaximumUsages: to(int64(6))}, laterTime))
	is.NoErr(c.Redeem(day(2026, 2, 1)))
}
