package person

// Summary is a person as lists and documents show one.
type Summary struct {
	State
	CourseCount  int64           // courses the person is enrolled in as a learner
	GroupCount   int64           // groups the person is a member of
	Partnerships []PartnershipID // in the order of their ids
}
