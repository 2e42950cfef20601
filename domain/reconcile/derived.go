package reconcile

import (
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
)

// Value names one derived value of the records of a type: the type and the name that a Discrepancy
// contains.
type Value struct{ Type, Name string }

// The values that ports.Reconciler.RecalculateCounters recalculates.
var (
	PersonCourses      = Value{person.Type, "course_count"}
	PersonGroups       = Value{person.Type, "group_count"}
	PersonPartnerships = Value{person.Type, "partnership_count"}
	CourseEnrollments  = Value{course.Type, "enrollments_count"}
	GroupMemberships   = Value{group.Type, "membership_count"}
	QuizScores         = Value{analytics.ScoreType, "score"}
	CourseAnalytics    = Value{analytics.CourseType, "enrolled_at"} // time since which the row is listed
	FeedGaps           = Value{"events", "missing"}                 // number of positions without an event
)

// Derived returns all derived values. Stores reconcile each of them, bulk loads set it and the
// conformance suite damages it, so a new value is added here first. A store may compute a value on
// reading instead of storing it.
func Derived() []Value {
	return []Value{
		PersonCourses, PersonGroups, PersonPartnerships, CourseEnrollments, GroupMemberships,
		QuizScores, CourseAnalytics, FeedGaps,
	}
}
