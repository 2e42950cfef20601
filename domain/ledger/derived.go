package ledger

import (
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
)

// Value is one value that the records of a type have and that follows from other
// records. A Difference names its type and its name.
type Value struct{ Type, Name string }

// The values that Recount of ports.Ledger recomputes.
var (
	PersonCourses      = Value{person.Type, "course_count"}
	PersonGroups       = Value{person.Type, "group_count"}
	PersonPartnerships = Value{person.Type, "partnership_count"}
	CourseEnrollments  = Value{course.Type, "enrollments_count"}
	GroupMemberships   = Value{group.Type, "membership_count"}
	QuizScores         = Value{analytics.ScoreType, "score"}
	CourseAnalytics    = Value{analytics.CourseType, "enrolled_at"} // since when a row is in the list
	FeedGaps           = Value{"events", "missing"}                 // how many positions have no event any more
)

// Derived is all of these. Stores reconcile, bulk loads fill in and the conformance
// suite damages every one of them, so a new value begins here. A store may compute
// a value when it is read instead of storing it.
func Derived() []Value {
	return []Value{
		PersonCourses, PersonGroups, PersonPartnerships, CourseEnrollments, GroupMemberships,
		QuizScores, CourseAnalytics, FeedGaps,
	}
}
