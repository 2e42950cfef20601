package person

// Summary is a person as lists and documents show one.
type Summary struct {
	State
	CourseCount  int64           // courses the person is enrolled in as a learner
	GroupCount   int64           // groups the person is a member of
	Partnerships []PartnershipID // in the order of their ids
}

// Deletable tells whether the person may be deleted: who has a part in running
// the school may not.
func (s Summary) Deletable() bool { return len(s.Partnerships) == 0 }

// Learner tells whether the person is a learner of the school: whoever has no
// part in running it, and whoever of the others learns in a course or is a
// member of a group. Managing a course or a group makes nobody a learner.
func (s Summary) Learner() bool {
	return len(s.Partnerships) == 0 || s.CourseCount > 0 || s.GroupCount > 0
}
