package school

import (
	"time"

	"lyceum/domain/fault"
)

// Suspend suspends the school from now on and reports whether it was active. Suspending a suspended
// school changes nothing.
func (s *School) Suspend(now time.Time) (changed bool) {
	if !s.s.SuspendedAt.IsZero() {
		return false
	}
	s.s.SuspendedAt, s.s.UpdatedAt = now, now
	return true
}

// Resume ends the suspension of the school and reports whether it was suspended.
func (s *School) Resume(now time.Time) (changed bool) {
	if s.s.SuspendedAt.IsZero() {
		return false
	}
	s.s.SuspendedAt, s.s.UpdatedAt = time.Time{}, now
	return true
}

// CheckActive returns Forbidden if the school is suspended. API keys, learner tokens and pages of
// the school are then refused.
func (s School) CheckActive() error {
	if !s.s.SuspendedAt.IsZero() {
		return fault.Forbiddenf("The school is suspended. The operator of this server can resume it")
	}
	return nil
}
