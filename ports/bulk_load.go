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

// ErrExists means that one of the records to load already exists in the school.
var ErrExists = errors.New("the record already exists")

// A NotSavedError is an error after which nothing was saved.
type NotSavedError struct{ Err error }

// Error returns the text of Err.
func (e *NotSavedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *NotSavedError) Unwrap() error { return e.Err }

// Loader inserts millions of new records into a school.
type Loader interface {
	// Load runs fn once. If fn returns nil, Load saves everything that fn added. If fn or a call of
	// LoadTx.Add returns an error, Load returns it and saves nothing. Every error that Load returns
	// is wrapped in a NotSavedError, unless the response to the commit was lost: then it is unknown
	// whether the records were saved. Other transactions do not see
	// the records before Load ends. When it ends, all derived data (counts, quiz scores and the end
	// of the event feed) is correct, regardless of what other transactions write to the school
	// concurrently. Load returns NotFound for an unknown school. Calls cannot be nested: Load
	// returns an error if ctx comes from the function of a transaction or of another Load, and with
	// the context that fn receives, every transaction returns an error.
	Load(ctx context.Context, s school.ID, fn func(ctx context.Context, l LoadTx) error) error

	// LoadNewSchool is like Load, but for a school that does not exist yet. It inserts the school
	// as well; after an error, neither the school nor its records are saved. It returns ErrExists
	// if another school has the id or the slug. Calls for schools with the same name according to
	// school.SameName run one after another: fn of the second call runs after the first call has
	// ended. They also wait for transactions that change the name of a school to it.
	LoadNewSchool(ctx context.Context, s school.School, fn func(ctx context.Context, l LoadTx) error) error
}

// LoadTx is passed to the function of a Load.
type LoadTx interface {
	// Add inserts the records in b, all of which must be new. They may refer to each other, to
	// records of earlier calls of Add, and to existing records of the school. Any other reference
	// is an error. If a record's unique value (name, code, email address, permalink, key, role or
	// number) is taken, Add returns ErrExists.
	//
	// Events are appended after all events of the feed, in the given order, which must be the order
	// of their times. Each event has the given CreatedAt. If the feed already contains an event at
	// or after that time, the new event is one millisecond later than the last event of the feed.
	// An event that is earlier than the previous event in b is an error. From the first event of a
	// Load until its end, other transactions that append to the feed wait, so events should be
	// added last.
	Add(ctx context.Context, b Batch) error

	// Tx returns the repositories of the school within the Load. They read the existing records and
	// the added ones, and their changes are saved together with the added records. Use them only to
	// read and to change existing records: insert new records with Add, and delete nothing except
	// sessions.
	Tx() Tx
}

// Batch contains new records of every kind. The fields are ordered so that records refer only to
// records of earlier fields.
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

// GroupCourse records that the group contains the course.
type GroupCourse struct {
	Group  group.ID
	Course course.ID
}
