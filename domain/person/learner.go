package person

import "lyceum/domain/fault"

var learner = Schema.Boolean("learner")

// Learner reports whether the person is a learner, as Schema defines it.
func (s Summary) Learner() bool { return learner(&s) }

// CheckLearner returns NotFound unless s is a learner. Operations on learners treat all other
// people as missing.
func CheckLearner(s Summary) error {
	if !s.Learner() {
		return fault.RecordNotFound()
	}
	return nil
}
