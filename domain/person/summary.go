package person

// Summary is a person as it appears in lists and documents.
type Summary struct {
	State
	CourseCount  int64           // enrollments as learner
	GroupCount   int64           // memberships as member
	Partnerships []PartnershipID // in the order of their ids
	Defined      []string        // names of the properties that the school has defined for people, sorted
	// Deletable reports whether the rules allow the person to be deleted. Use cases set it; stores
	// leave it false.
	Deletable bool
}
