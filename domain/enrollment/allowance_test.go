package enrollment_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
)

func TestAllowance(t *testing.T) {
	is := is.New(t)
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var a enrollment.Allowance
	is.True(a.IsWhole(now))
	is.Equal(a.Wait(now), time.Duration(0))

	a = a.Use(enrollment.AllowedAtOnce, now)
	is.Equal(a.Wait(now), time.Duration(0))
	is.True(!a.IsWhole(now))

	a = a.Use(enrollment.MaxAdded, now)
	is.Equal(a.Wait(now), 20*time.Second)
	is.Equal(a.Wait(now.Add(5*time.Second)), 15*time.Second)
	is.Equal(a.Wait(now.Add(20*time.Second)), time.Duration(0))
	is.Equal(a.Wait(now.Add(-time.Second)), 20*time.Second) // the clock was set back

	a = a.Use(5_000, now.Add(20*time.Second))
	is.Equal(a.Wait(now.Add(20*time.Second)), time.Second)
	is.True(!a.IsWhole(now.Add(60 * time.Second)))
	is.True(a.IsWhole(now.Add(61 * time.Second)))
}
