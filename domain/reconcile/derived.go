package reconcile

import (
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
)

// Value identifies a derived value by the type of its record and by its name, both as in a
// Discrepancy.
type Value struct{ Type, Name string }

// The values that ports.Reconciler.RecalculateDerived recalculates.
var (
	PersonCourses      = Value{person.Type, "course_count"}
	PersonGroups       = Value{person.Type, "group_count"}
	PersonPartnerships = Value{person.Type, "partnership_count"}
	CourseEnrollments  = Value{course.Type, "enrollments_count"}
	GroupMemberships   = Value{group.Type, "membership_count"}
	QuizScores         = Value{analytics.ScoreType, "score"}
	CourseAnalytics    = Value{analytics.CourseType, "enrolled_at"} // time since which the list contains the row
	FeedGaps           = Value{"events", "missing"}                 // number of positions that have no event
)

// Derived returns all values above. Add a new value here first: stores reconcile every value in
// this list, bulk loads set it, and the conformance suite damages it. A store may compute a value
// when it is read instead of storing it.
func Derived() []Value {
	return []Value{
		PersonCourses, PersonGroups, PersonPartnerships, CourseEnrollments, GroupMemberships,
		QuizScores, CourseAnalytics, FeedGaps,
	}
}
