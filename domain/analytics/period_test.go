package analytics_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/fault"
)

func TestParsePeriod(t *testing.T) {
	is := is.New(t)
	for _, p := range analytics.Periods() {
		parsed, err := analytics.ParsePeriod(p.String())
		is.NoErr(err)
		is.Equal(parsed, p)
		is.True(!p.IsZero() && p.Weeks() > 0)
	}
	for _, name := range []string{"", "0", "5", "ALL"} {
		parsed, err := analytics.ParsePeriod(name)
		is.True(fault.Is(err, fault.Malformed) && parsed.IsZero())
	}
}
