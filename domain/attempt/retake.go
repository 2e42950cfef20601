package attempt

import "lyceum/domain/fault"

// CheckRetake says whether a course may be begun anew after the attempt: it must
// be complete.
func (a Attempt) CheckRetake() error {
	if !a.s.Complete() {
		return fault.Invalidf("course", "has an attempt that is not complete")
	}
	return nil
}
