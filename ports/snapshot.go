package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/change"
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

// Snapshots reads whole schools.
type Snapshots interface {
	// Snapshot runs fn once with the state of the school at one instant: fn sees no concurrent
	// write, and no other transaction waits for fn. It returns the error of fn. It returns NotFound
	// for an unknown school. Calls cannot be nested: Snapshot returns an error if ctx comes from
	// the function of a transaction, a Load or another Snapshot.
	Snapshot(ctx context.Context, s school.ID, fn func(ctx context.Context, s Snapshot) error) error
}

// Snapshot is a school at one instant. Each method calls its argument each with every record of one
// kind, one after another, without holding all records in memory. It stops at the first error of
// each and returns it. The comments of the methods state the order of the records. Texts are
// compared byte by byte, so that the order is the same in every store; ties are ordered by
// CreatedAt, then by id. The methods must not be called concurrently.
type Snapshot interface {
	// School returns the school.
	School(ctx context.Context) (school.School, error)

	// Changes returns the state of the change feed. The snapshot contains every change up to End of
	// that state, and may contain later changes.
	Changes(ctx context.Context) (change.Feed, error)

	// Properties are ordered by the resource, then by name.
	Properties(ctx context.Context, each func(property.State) error) error
	// Categories are ordered by the text.UniqueKey of the name.
	Categories(ctx context.Context, each func(category.State) error) error
	// Coupons are ordered by the text.UniqueKey of the code.
	Coupons(ctx context.Context, each func(coupon.State) error) error
	// People are ordered by the text.UniqueKey of the email address.
	People(ctx context.Context, each func(person.State) error) error
	// Partnerships are ordered by the text.UniqueKey of the email address, then by role.
	Partnerships(ctx context.Context, each func(WithEmail[person.Partnership]) error) error
	// Redemptions are in the order of their coupons (see Coupons), then by CreatedAt and by the
	// text.UniqueKey of the email address.
	Redemptions(ctx context.Context, each func(WithEmail[redemption.Redemption]) error) error
	// Courses are ordered by permalink.
	Courses(ctx context.Context, each func(course.State) error) error
	// Quizzes are ordered by name.
	Quizzes(ctx context.Context, each func(quiz.State) error) error
	// Assignments are ordered by title.
	Assignments(ctx context.Context, each func(assignment.State) error) error
	// Activities are ordered by the permalink of the course, then by title. They have their texts.
	Activities(ctx context.Context, each func(activity.State) error) error
	// Groups are ordered by the text.UniqueKey of the name.
	Groups(ctx context.Context, each func(group.State) error) error
	// GroupCourses are in the order of their groups (see Groups), then by the permalink of the
	// course.
	GroupCourses(ctx context.Context, each func(GroupCourse) error) error
	// Memberships are in the order of their groups (see Groups), then by the text.UniqueKey of the
	// email address and by role.
	Memberships(ctx context.Context, each func(WithEmail[membership.Membership]) error) error
	// Enrollments are ordered by the permalink of the course, the text.UniqueKey of the email
	// address and the role.
	Enrollments(ctx context.Context, each func(WithEmail[enrollment.Enrollment]) error) error
	// Attempts are ordered by the permalink of the course, the text.UniqueKey of the email address
	// and the number.
	Attempts(ctx context.Context, each func(WithEmail[CourseAttempt]) error) error
	// QuizAttempts are in the order of their course attempts (see Attempts), then of their
	// activities (see Activities), then by number.
	QuizAttempts(ctx context.Context, each func(WithEmail[quizattempt.State]) error) error
	// Submissions are in the order of their course attempts (see Attempts), then of their
	// activities (see Activities).
	Submissions(ctx context.Context, each func(WithEmail[SubmissionRecord]) error) error
	// Events are in the order of the event feed.
	Events(ctx context.Context, each func(WithEmail[event.Event]) error) error
}

// WithEmail is a record of a person with the person's email address.
type WithEmail[T any] struct {
	Email  string
	Record T
}

// CourseAttempt is a course attempt with its completions, in any order.
type CourseAttempt struct {
	attempt.State
	Completions []attempt.Completion
}

// SubmissionRecord is a submission with the number of its course attempt.
type SubmissionRecord struct {
	submission.Submission
	Number int
}
