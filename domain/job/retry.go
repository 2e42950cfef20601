package job

import "time"

// RetryPolicy bounds the retries of a kind of job.
type RetryPolicy struct {
	MaxAttempts  int           // at least 1
	InitialDelay time.Duration // delay after the first failure
	MaxDelay     time.Duration // maximum delay, without jitter
}

// Next returns the time of the next attempt after the given number of failed attempts (1-based), or
// false if MaxAttempts is reached. The delay doubles with each failure, up to MaxDelay. spread,
// from 0 to 1, lengthens the delay by 0 to 25 percent, so that jobs that failed together are not
// retried together.
func (r RetryPolicy) Next(attempts int, spread float64, now time.Time) (time.Time, bool) {
	if attempts >= r.MaxAttempts {
		return time.Time{}, false
	}
	pause := r.InitialDelay
	for range attempts - 1 {
		pause *= 2
		if pause >= r.MaxDelay {
			break
		}
	}
	pause = min(pause, r.MaxDelay)
	pause += time.Duration(spread * float64(pause) / 4)
	return now.Add(pause.Truncate(time.Millisecond)), true
}
