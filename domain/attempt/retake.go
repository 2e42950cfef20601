package attempt

import "lyceum/domain/fault"

// CheckRetake returns a fault unless the attempt is complete. The next attempt can start only after
// that.
func (a Attempt) CheckRetake() error {
	if !a.s.Complete() {
		return fault.Invalidf("", "has an attempt in progress; complete it first")
	}
	return nil
}
