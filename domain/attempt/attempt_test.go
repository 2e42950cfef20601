package attempt_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	enrolled  = enrollment.Enrollment{Person: person.ID{UUID: uuid.UUID{15: 1}}, Course: course.ID{UUID: uuid.UUID{15: 2}}}
	id        = attempt.ID{UUID: uuid.UUID{15: 3}}
)

func TestBegin(t *testing.T) {
	is := is.New(t)
	first := attempt.Begin(id, enrolled, nil, now)
	want := attempt.State{ID: id, Person: enrolled.Person, Course: enrolled.Course, Number: 1, StartedAt: now}
	is.Equal(first.State(), want)
	is.Equal(attempt.Restore(want).State(), want)
	is.True(!want.Complete())

	last := attempt.Restore(attempt.State{Number: 7, Progress: decimal.OneHundred, LastCompletedAt: &now})
	want.Number, want.StartedAt = 8, laterTime
	is.Equal(attempt.Begin(id, enrolled, &last, laterTime).State(), want) // starts without progress
}

func TestUpdateProgress(t *testing.T) {
	for _, tc := range []struct {
		name     string
		tally    attempt.Tally
		progress string
		complete bool
	}{
		{"nothing", attempt.Tally{Activities: 3}, "0", false},
		{"a course without activities", attempt.Tally{}, "0", false},
		{"one of three", attempt.Tally{Completed: 1, Activities: 3, LastCompletedAt: &now}, "33.33", false},
		{"two of three", attempt.Tally{Completed: 2, Activities: 3, LastCompletedAt: &now}, "66.67", false},
		{"all", attempt.Tally{Completed: 3, Activities: 3, LastCompletedAt: &laterTime}, "100", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			a := attempt.Restore(attempt.State{ID: id, Number: 2, Progress: 5000, LastCompletedAt: &now, StartedAt: now})
			a.UpdateProgress(tc.tally)
			got := a.State()
			is.Equal(got.Progress.String(), tc.progress)
			is.Equal(got.LastCompletedAt, tc.tally.LastCompletedAt)
			is.Equal(got.Complete(), tc.complete)
			got.Progress, got.LastCompletedAt = 0, nil
			is.Equal(got, attempt.State{ID: id, Number: 2, StartedAt: now}) // no other field changes
		})
	}
}

func TestCheckRetake(t *testing.T) {
	for progress, ok := range map[decimal.Percent]bool{0: false, 9999: false, decimal.OneHundred: true} {
		is := is.New(t)
		err := attempt.Restore(attempt.State{Progress: progress}).CheckRetake()
		is.Equal(err == nil, ok)
		if err != nil {
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "")
		}
	}
}
