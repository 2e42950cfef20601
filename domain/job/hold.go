package job

import "time"

// Hold explains why a job does not run now. It can run at Until. The attempt does not count.
type Hold struct {
	Until time.Time
	Cause string
}
