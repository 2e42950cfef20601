package usecase

import (
	"maps"
	"sync"
	"time"

	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

const (
	// fewAdditions is the number of records that a request may add although its school has used up its
	// allowance, so that other requests of the school work.
	fewAdditions = 10
	// additionsKept is the number of schools above which those with a whole allowance are dropped.
	additionsKept = 1000
)

// Additions limits how fast each school adds people, memberships and enrollments, and changes attempts
// and course structures, in large numbers, because the schools of a server share its store. It is safe
// for concurrent use.
type Additions struct {
	clock ports.Clock
	mu    sync.Mutex
	of    map[school.ID]enrollment.Allowance
}

// NewAdditions returns the Additions of a server. Every school has a whole allowance.
func NewAdditions(clock ports.Clock) *Additions {
	return &Additions{clock: clock, of: map[school.ID]enrollment.Allowance{}}
}

// Use records that a school adds or changes n records.
func (a *Additions) Use(s school.ID, n int) {
	if n == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.clock.Now()
	if len(a.of) >= additionsKept {
		maps.DeleteFunc(a.of, func(_ school.ID, one enrollment.Allowance) bool { return one.IsWhole(now) })
	}
	a.of[s] = a.of[s].Use(n, now)
}

// Check returns Unavailable if a request would add or change n records, more than a few, and its school
// has used up its allowance.
func (a *Additions) Check(s school.ID, n int) error {
	if n <= fewAdditions {
		return nil
	}
	return a.CheckMany(s)
}

// CheckMany is like Check, for a request that may change or add many records.
func (a *Additions) CheckMany(s school.ID) error {
	if a.Wait(s) == 0 {
		return nil
	}
	return fault.Unavailablef("The school has added or changed very many records. Try again later")
}

// Wait returns how long background work of a school must wait until it may add more; 0: not at all.
func (a *Additions) Wait(s school.ID) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of[s].Wait(a.clock.Now())
}
