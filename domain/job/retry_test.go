package job_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestRetryDoublesUpToTheLongestPauseAndThenGivesUp(t *testing.T) {
	r := job.Retry{Attempts: 6, First: 30 * time.Second, Longest: 4 * time.Minute}
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
		{5, 0, 4 * time.Minute, true}, // no longer than the longest
		{1, 0.5, 33750 * time.Millisecond, true},
		{4, 1, 5 * time.Minute, true}, // a quarter more at the most
		{6, 0, 0, false},
		{7, 0, 0, false},
	} {
		is := is.New(t)
		next, again := r.After(tc.attempts, tc.spread, now)
		is.Equal(again, tc.again)
		if again {
			is.Equal(next, now.Add(tc.pause))
		}
	}
}

func TestRetryEndsForAnyNumberOfAttempts(t *testing.T) {
	is := is.New(t)
	r := job.Retry{Attempts: 1 << 30, First: time.Nanosecond, Longest: time.Hour}
	next, again := r.After(1<<29, 0, now)
	is.True(again)
	is.Equal(next, now.Add(time.Hour))
}
