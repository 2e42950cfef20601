package person

import "lyceum/domain/fault"

// Deletable tells whether the person may be deleted: who has a part in running
// the school may not.
func (s Summary) Deletable() bool { return len(s.Partnerships) == 0 }

// CheckDeletion says whether s may be deleted.
func CheckDeletion(s Summary) error {
	if !s.Deletable() {
		return fault.Forbiddenf("A person who has a part in running the school cannot be deleted")
	}
	return nil
}
