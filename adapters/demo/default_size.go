package demo

// DefaultSize returns the size of a school with the given number of people: the counts of a school
// of 1000 people, or proportionally fewer.
func DefaultSize(people int) Size {
	some := max(people, 0)
	scaled := func(n, least int) int { return max(min(n, n*some/1000), min(n, least)) }
	return Size{
		People: people, Courses: scaled(50, 5), Categories: scaled(12, 3), Coupons: scaled(10, 2), Groups: scaled(20, 4),
		Enrollments: min(5000, 5*some), Memberships: min(1500, some*3/2),
		Answers: scaled(2000, 20), Events: scaled(5000, 50), Submissions: scaled(200, 5), Seed: 1,
	}.WithPossibleMembers().WithPossibleWork()
}

// WithPossibleMembers returns s with Enrollments and Memberships reduced to the numbers that its
// people, courses and groups allow.
func (s Size) WithPossibleMembers() Size {
	s.Enrollments = max(0, min(s.Enrollments, s.learners()*s.Courses))
	s.Memberships = max(0, min(s.Memberships, s.learners()*s.openGroups()))
	return s
}

// WithPossibleWork returns s with Answers, Events and Submissions reduced to the numbers that its
// enrollments allow.
func (s Size) WithPossibleWork() Size {
	s.Submissions = min(s.Submissions, s.Enrollments)
	if s.Enrollments == 0 {
		s.Answers, s.Events = 0, 0
	}
	return s
}
