package job

import "time"

// Retry is how patiently a kind of work is tried again.
type Retry struct {
	Attempts int           // how often at most, at least 1
	First    time.Duration // the pause after the first failure
	Longest  time.Duration // the longest pause
}

// After returns when to try again a job that has failed for the attempts-th
// time (1 is the first), and false when it has been tried often enough. The
// pause doubles with each failure up to the longest; spread, from 0 to 1, moves
// it by up to a quarter, so that what failed together does not come back
// together.
func (r Retry) After(attempts int, spread float64, now time.Time) (time.Time, bool) {
	if attempts >= r.Attempts {
		return time.Time{}, false
	}
	pause := r.First
	for range attempts - 1 {
		pause *= 2
		if pause >= r.Longest {
			break
		}
	}
	pause = min(pause, r.Longest)
	pause += time.Duration(spread * float64(pause) / 4)
	return now.Add(pause.Truncate(time.Millisecond)), true
}
