package enrollment

import "time"

const (
	// AllowedAtOnce is the number of people, memberships and enrollments that a school may add in one
	// go, of attempts that its changes of course structures may update, and of the activities,
	// assignments, quizzes and questions that these save.
	AllowedAtOnce = 200_000
	// AllowedPerSecond is the number that a school may add and update per second after that. An
	// enrollment takes about 2 KB of the store and of its change feed, and an update of an attempt
	// 0.7 KB, so a school that never pauses fills the store by less than 1 GB per minute.
	AllowedPerSecond = 5_000
	// RecordSize is how many bytes of the properties of a record count as a record when a row of a bulk
	// request changes one of them, or when one of them is deleted with its definition. The store saves
	// all of them again, twice: as they were sent and as they are searched.
	RecordSize = 1 << 10
)

// Allowance is how many records a school may add and update in large numbers. A request of 30 bytes,
// or a row of a bulk request, can add MaxAdded enrollments, and 41 bytes of a plan an activity. The
// zero Allowance is a whole one.
type Allowance struct {
	used float64 // above AllowedAtOnce: overdrawn
	at   time.Time
}

// Use returns the allowance after n records were added or updated at the time now. They count although
// they may exceed the allowance, because their number is known too late to refuse them.
func (a Allowance) Use(n int, now time.Time) Allowance {
	return Allowance{a.usedAt(now) + float64(n), now}
}

// Wait returns how long the school has to wait at the time now until it may add more in large numbers;
// 0: not at all.
func (a Allowance) Wait(now time.Time) time.Duration {
	over := max(0, a.usedAt(now)-AllowedAtOnce)
	return time.Duration(over / AllowedPerSecond * float64(time.Second))
}

// IsWhole reports whether none of the allowance is used at the time now.
func (a Allowance) IsWhole(now time.Time) bool { return a.usedAt(now) == 0 }

func (a Allowance) usedAt(now time.Time) float64 {
	return max(0, a.used-max(0, now.Sub(a.at).Seconds())*AllowedPerSecond)
}
