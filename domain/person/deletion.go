package person

import "lyceum/domain/fault"

// CheckDeletion returns a fault if s cannot be deleted because it has a partnership.
func CheckDeletion(s Summary) error {
	if len(s.Partnerships) > 0 {
		return fault.Forbiddenf("A person with a partnership cannot be deleted")
	}
	return nil
}
