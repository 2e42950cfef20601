package coupon_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
)

func TestActivation(t *testing.T) {
	for _, tc := range []struct {
		name     string
		from, to bool
		updated  time.Time
	}{
		{"a disabled one is activated", false, true, laterTime},
		{"an enabled one is activated", true, true, now},
		{"an enabled one is deactivated", true, false, laterTime},
		{"a disabled one is deactivated", false, false, now},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s := spring(t)
			s.Enabled = tc.from
			c := coupon.Restore(s)
			switch tc.to {
			case true:
				c.Activate(laterTime)
			case false:
				c.Deactivate(laterTime)
			}
			s.Enabled, s.UpdatedAt = tc.to, tc.updated
			is.Equal(c.State(), s)
		})
	}
}
