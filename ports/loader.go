package ports

import (
	"context"
	"errors"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// ErrKnown says that a school has a record already that was to be loaded.
var ErrKnown = errors.New("the school has such a record already")

// Loader adds new records to a school by the million.
type Loader interface {
	// Load runs fn once and keeps all that it has added when it returns nil; when
	// it, or a call of Add, returns an error, Load returns that error and nothing
	// is kept. At the end all that a store keeps beside the records is right:
	// counts, quiz scores and the end of the feed, whatever others write to the
	// school meanwhile. Nobody sees any of the records before the end. An unknown
	// school is NotFound. A Load inside a transaction or another Load (on the same
	// context, which fn gets) is refused with an error, and so is a transaction
	// inside a Load.
	Load(ctx context.Context, s school.ID, fn func(ctx context.Context, l Load) error) error

	// LoadNew is Load for a school that there is not yet: it keeps the school as
	// well, so that when anything is wrong there is no school either. A school whose
	// id another has is refused with ErrKnown. Calls for schools of one name run one
	// after the other: until the end of the first, fn of the second does not run.
	LoadNew(ctx context.Context, s school.School, fn func(ctx context.Context, l Load) error) error
}

// Load is what a running Load adds by.
type Load interface {
	// Add adds the records of b, all of them new. They may refer to each other,
	// to those of an earlier Add and to those that the school has; a reference to
	// anything else is refused with an error. A record with a name, code, address,
	// permalink, place or number that only one may have, and one has, is refused
	// with ErrKnown.
	//
	// Events come behind all that the feed holds, in the order given, which must
	// be that of their times: each has the CreatedAt given or, when the feed held
	// an event that is not earlier, the millisecond after that. An event that is
	// earlier than the one before it is refused with an error. Whoever else
	// appends to the feed waits from the first event of a Load to its end, so
	// events should come last.
	Add(ctx context.Context, b Batch) error

	// Tx returns the repositories of the school within the Load: what they read is
	// what the school has and what was added, what they change is kept with what
	// was added. They serve to look at and to change records that the school had;
	// what is new goes by Add, and nothing is to be removed.
	Tx() Tx
}

// Batch is new records, each kind behind those that it refers to.
type Batch struct {
	Categories   []category.Category
	Coupons      []coupon.Coupon
	People       []person.Person
	Partnerships []person.Partnership
	Redemptions  []redemption.Redemption
	Courses      []course.Course
	Quizzes      []quiz.Quiz
	Assignments  []assignment.Assignment
	Activities   []activity.Activity
	Groups       []group.Group
	GroupCourses []GroupCourse
	Memberships  []membership.Membership
	Enrollments  []enrollment.Enrollment
	Attempts     []attempt.Attempt
	Completions  []attempt.Completion
	QuizAttempts []quizattempt.Attempt
	Submissions  []submission.Submission
	Events       []event.Event
}

// GroupCourse is a course that a group holds.
type GroupCourse struct {
	Group  group.ID
	Course course.ID
}
