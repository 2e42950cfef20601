package job_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestNextDoublesTheDelayUpToTheMaximum(t *testing.T) {
	r := job.RetryPolicy{MaxAttempts: 6, InitialDelay: 30 * time.Second, MaxDelay: 4 * time.Minute}
	for _, tc := range []struct {
		attempts int
		spread   float64
		pause    time.Duration
		again    bool
	}{
		{1, 0, 30 * time.Second, true},
		{2, 0, time.Minute, true},
		{3, 0, 2 * time.Minute, true},
		{4, 0, 4 * time.Minute, true},
		{5, 0, 4 * time.Minute, true}, // limited by MaxDelay
		{1, 0.5, 33750 * time.Millisecond, true},
		{4, 1, 5 * time.Minute, true}, // at most a quarter longer
		{6, 0, 0, false},
		{7, 0, 0, false},
	} {
		is := is.New(t)
		next, again := r.Next(tc.attempts, tc.spread, now)
		is.Equal(again, tc.again)
		if again {
			is.Equal(next, now.Add(tc.pause))
		}
	}
}

func TestNextForAnyNumberOfAttempts(t *testing.T) {
	is := is.New(t)
	r := job.RetryPolicy{MaxAttempts: 1 << 30, InitialDelay: time.Nanosecond, MaxDelay: time.Hour}
	next, again := r.Next(1<<29, 0, now)
	is.True(again)
	is.Equal(next, now.Add(time.Hour))
}
