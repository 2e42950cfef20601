package person

import "lyceum/domain/fault"

var learner = Schema.Boolean("learner")

// Learner tells whether the person is a learner of the school, as Schema defines it.
func (s Summary) Learner() bool { return learner(&s) }

// CheckLearner says whether s is a learner; for the operations on learners
// anybody else does not exist.
func CheckLearner(s Summary) error {
	if !s.Learner() {
		return fault.Missing()
	}
	return nil
}
