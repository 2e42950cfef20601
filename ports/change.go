package ports

import (
	"context"

	"lyceum/domain/change"
	"lyceum/domain/query"
)

// ChangeReader reads the change feed of a school.
//
// Each transaction that creates, updates or deletes records adds their changes to the feed, in the
// same transaction. If a transaction writes a record several times, it may add several changes of
// the record. The last of them is Deleted if the record no longer exists. An update is a change if
// it changes an attribute of the record or, for a course or a group, its categories, instructors or
// courses. A write that changes nothing, and a write that changes only counts, adds no change.
//
// The types of the records are resource types: people, partnerships, courses, categories, groups,
// memberships, enrollments, coupons, coupon_redemptions, quizzes, assignments, activities,
// activity_completions, quiz_attempts, quiz_raw_answers, assignment_submissions,
// property_definitions and schools. The school itself has only updates. The records of a course in
// removal may be deleted later than the course.
//
// A change becomes readable only after all changes with lower positions are readable or rolled
// back. A reader that continues after the last change that it has seen therefore misses no change.
// No transaction waits for another one because of the feed.
type ChangeReader interface {
	// Page returns a page of the readable changes, ordered by position unless q has a sort.
	Page(ctx context.Context, q query.Query) (query.Result[change.Change], error)

	// Feed returns the state of the feed. To detect that a page lacks changes that were deleted
	// because of their age, a reader gets the Feed after the page and compares its Start with the
	// position from which it reads.
	Feed(ctx context.Context) (change.Feed, error)
}
