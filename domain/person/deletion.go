package person

import "lyceum/domain/fault"

// CheckDeletion returns a fault if s may not be deleted: only people without a partnership may.
func CheckDeletion(s Summary) error {
	if len(s.Partnerships) > 0 {
		return fault.Forbiddenf("A person with a partnership cannot be deleted")
	}
	return nil
}
