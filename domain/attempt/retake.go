package attempt

import "lyceum/domain/fault"

// CheckRetake returns a fault unless the attempt is complete. A person can start the next attempt
// only after completing this one.
func (a Attempt) CheckRetake() error {
	if !a.s.Complete() {
		return fault.Invalidf("", "has an attempt in progress; complete it first")
	}
	return nil
}
