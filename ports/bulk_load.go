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
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// ErrExists means that the school already has one of the records to load.
var ErrExists = errors.New("the school already has such a record")

// Loader inserts millions of new records into a school.
type Loader interface {
	// Load runs fn once. If fn returns nil, Load saves everything that fn added; if fn or a call of
	// Add returns an error, Load returns it and saves nothing. No other transaction sees the
	// records before the end. At the end all derived data is correct (counts, quiz scores and the
	// end of the event feed), whatever other transactions write to the school concurrently. An
	// unknown school is NotFound. A Load inside a transaction or inside another Load (on the same
	// context, which fn receives) returns an error, and so does a transaction inside a Load.
	Load(ctx context.Context, s school.ID, fn func(ctx context.Context, l LoadTx) error) error

	// LoadNewSchool is Load for a school that does not exist yet: it inserts the school as well,
	// and neither the school nor its records after an error. It returns ErrExists if another school
	// has the id. Calls for schools of the same name run one after the other: fn of the second runs
	// after the first has ended.
	LoadNewSchool(ctx context.Context, s school.School, fn func(ctx context.Context, l LoadTx) error) error
}

// LoadTx is passed to the function of a Load.
type LoadTx interface {
	// Add inserts the records of b, all of which are new. They may refer to each other, to records
	// of an earlier Add and to records of the school; any other reference is an error. If a
	// record's unique value (name, code, email address, permalink, key, role or number) is taken,
	// Add returns ErrExists.
	//
	// Events are appended after all events of the feed, in the given order, which must be the order
	// of their times. Each has the given CreatedAt or, if the feed already had an event that is not
	// earlier, the millisecond after that event. An event that is earlier than the previous one is
	// an error. Transactions that append to the feed wait from the first event of a Load until its
	// end, so events should be added last.
	Add(ctx context.Context, b Batch) error

	// Tx returns the repositories of the school within the Load. They read the records of the
	// school and the added ones; their changes are saved together with what was added. They serve
	// to read and to change existing records. New records are inserted with Add, and nothing may be
	// deleted.
	Tx() Tx
}

// Batch is new records of every kind. A kind comes after the kinds that its records refer to.
type Batch struct {
	Properties   []property.Definition
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

// GroupCourse is a course of a group.
type GroupCourse struct {
	Group  group.ID
	Course course.ID
}
