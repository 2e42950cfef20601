package person

import "lyceum/domain/fault"

// Learner tells whether the person is a learner of the school: whoever has no
// part in running it, and whoever of the others learns in a course or is a
// member of a group. Managing a course or a group makes nobody a learner.
func (s Summary) Learner() bool {
	return len(s.Partnerships) == 0 || s.CourseCount > 0 || s.GroupCount > 0
}

// CheckLearner says whether s is a learner; for the operations on learners
// anybody else does not exist.
func CheckLearner(s Summary) error {
	if !s.Learner() {
		return fault.Missing()
	}
	return nil
}
