package ports

import (
	"context"

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

// Snapshots shows whole schools.
type Snapshots interface {
	// Snapshot runs fn once with the school as it is at one instant: whatever
	// others write meanwhile, fn sees nothing of it, and nobody waits for fn. It
	// returns the error of fn. An unknown school is NotFound. A Snapshot inside a
	// transaction, a Load or another Snapshot (on the same context, which fn gets)
	// is refused with an error.
	Snapshot(ctx context.Context, s school.ID, fn func(ctx context.Context, s Snapshot) error) error
}

// Snapshot is a school at one instant. A method hands every record of its kind to
// each, one after the other, without holding all of them where there may be
// millions; the first error of each ends that and is returned. The order is told
// below; texts are compared byte by byte, so that it is the same in every store,
// and what is equal in all that is told goes by CreatedAt, then by the id. One
// method runs at a time.
type Snapshot interface {
	School(ctx context.Context) (school.School, error)

	// Categories go by the text.Key of the name.
	Categories(ctx context.Context, each func(category.State) error) error
	// Coupons go by the text.Key of the code.
	Coupons(ctx context.Context, each func(coupon.State) error) error
	// People go by the text.Key of the e-mail address.
	People(ctx context.Context, each func(person.State) error) error
	// Partnerships go by the text.Key of the address, then by the role.
	Partnerships(ctx context.Context, each func(Owned[person.Partnership]) error) error
	// Redemptions go as coupons do, then by CreatedAt and the text.Key of the
	// address.
	Redemptions(ctx context.Context, each func(Owned[redemption.Redemption]) error) error
	// Courses go by the permalink.
	Courses(ctx context.Context, each func(course.State) error) error
	// Quizzes go by the name.
	Quizzes(ctx context.Context, each func(quiz.State) error) error
	// Assignments go by the title.
	Assignments(ctx context.Context, each func(assignment.State) error) error
	// Activities go by the permalink of the course, then by the title.
	Activities(ctx context.Context, each func(activity.State) error) error
	// Groups go by the text.Key of the name.
	Groups(ctx context.Context, each func(group.State) error) error
	// GroupCourses go as groups do, then by the permalink of the course.
	GroupCourses(ctx context.Context, each func(GroupCourse) error) error
	// Memberships go as groups do, then by the text.Key of the address and the role.
	Memberships(ctx context.Context, each func(Owned[membership.Membership]) error) error
	// Enrollments go by the permalink of the course, the text.Key of the address and
	// the role.
	Enrollments(ctx context.Context, each func(Owned[enrollment.Enrollment]) error) error
	// Attempts go by the permalink of the course, the text.Key of the address and
	// the number.
	Attempts(ctx context.Context, each func(Owned[Run]) error) error
	// QuizAttempts go as attempts do, then as activities do, then by the number.
	QuizAttempts(ctx context.Context, each func(Owned[quizattempt.State]) error) error
	// Submissions go as attempts do, then as activities do.
	Submissions(ctx context.Context, each func(Owned[Paper]) error) error
	// Events go as in the feed.
	Events(ctx context.Context, each func(Owned[event.Event]) error) error
}

// Owned is a record of a person with the person's e-mail address.
type Owned[T any] struct {
	Email  string
	Record T
}

// Run is a course attempt with the completions in it, which are in no order.
type Run struct {
	attempt.State
	Completions []attempt.Completion
}

// Paper is a submission with the number of the course attempt that it is of.
type Paper struct {
	submission.Submission
	Number int
}
