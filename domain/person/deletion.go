package person

import "lyceum/domain/fault"

// Deletable reports whether the person may be deleted: only without a partnership.
func (s Summary) Deletable() bool { return len(s.Partnerships) == 0 }

// CheckDeletion returns a fault if s may not be deleted.
func CheckDeletion(s Summary) error {
	if !s.Deletable() {
		return fault.Forbiddenf("A person with a partnership cannot be deleted")
	}
	return nil
}
