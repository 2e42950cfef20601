package usecase_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
)

func TestAdditions(t *testing.T) {
	is := is.New(t)
	clock := fake.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	a := usecase.NewAdditions(clock)
	large, other := school.ID{UUID: uuid.New()}, school.ID{UUID: uuid.New()}
	a.Use(large, enrollment.AllowedAtOnce)
	is.NoErr(a.Check(large, enrollment.MaxAdded))
	a.Use(large, enrollment.MaxAdded)
	is.True(fault.Is(a.Check(large, 11), fault.Unavailable))
	is.Equal(a.Wait(large), 20*time.Second)
	is.NoErr(a.Check(large, 10)) // a few
	is.NoErr(a.Check(other, enrollment.MaxAdded))
	is.Equal(a.Wait(other), time.Duration(0))

	for range 2000 { // whole allowances of other schools are dropped, and no others
		a.Use(school.ID{UUID: uuid.New()}, 1)
		clock.Advance(time.Millisecond)
	}
	is.Equal(a.Wait(large), 18*time.Second)
	clock.Advance(18 * time.Second)
	is.NoErr(a.Check(large, 11))
}
