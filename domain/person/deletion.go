package person

import "lyceum/domain/fault"

// CheckDeletion says whether s may be deleted.
func CheckDeletion(s Summary) error {
	if !s.Deletable() {
		return fault.Forbiddenf("A person who has a part in running the school cannot be deleted")
	}
	return nil
}

// CheckLearner says whether s is a learner; for the operations on learners
// anybody else does not exist.
func CheckLearner(s Summary) error {
	if !s.Learner() {
		return fault.Missing()
	}
	return nil
}
