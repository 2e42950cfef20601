package school_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func TestSuspension(t *testing.T) {
	is := is.New(t)
	s, err := school.New(id, "Acme", school.Open, now)
	is.NoErr(err)
	is.NoErr(s.CheckActive())
	is.Equal(s.Resume(laterTime), false) // it is already active
	is.Equal(s.State().UpdatedAt, now)

	is.True(s.Suspend(laterTime))
	is.Equal(s.State().SuspendedAt, laterTime)
	is.Equal(s.State().UpdatedAt, laterTime)
	is.True(fault.Is(s.CheckActive(), fault.Forbidden))
	is.Equal(s.Suspend(now), false) // it is already suspended
	is.Equal(s.State().SuspendedAt, laterTime)

	is.True(s.Resume(now))
	is.True(s.State().SuspendedAt.IsZero())
	is.Equal(s.State().UpdatedAt, now)
	is.NoErr(s.CheckActive())
}
