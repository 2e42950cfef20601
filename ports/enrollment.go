package ports

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// EnrollmentReader reads enrollments.
type EnrollmentReader interface {
	Lister[enrollment.Summary]

	// Get returns the enrollment id as documents show it, NotFound when there is
	// none.
	Get(ctx context.Context, id enrollment.ID) (enrollment.Summary, error)

	// OfPerson returns the person's enrollments in the order of their ids; none
	// when there is no such person.
	OfPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error)
}

// EnrollmentRepo reads and writes enrollments. The counts that lists show
// (course.Summary's EnrollmentsCount, person.Summary's CourseCount) follow from
// the enrollments as learner and are right at the end of every transaction,
// under any concurrency; one course's enrollments do not wait for each other.
type EnrollmentRepo interface {
	EnrollmentReader

	// Find returns the enrollment of a person as role in a course, NotFound when
	// there is none, and locks it: against removal, and against another Find.
	Find(ctx context.Context, p person.ID, c course.ID, role enrollment.Role) (enrollment.Enrollment, error)

	// FindMany is Find for many at once, by pair; pairs that have no such
	// enrollment are absent. It locks the people before, against removal, those
	// without an enrollment too, and all in one order.
	FindMany(ctx context.Context, pairs []enrollment.Pair, role enrollment.Role) (map[enrollment.Pair]enrollment.Enrollment, error)

	// LockMany locks the enrollments of pairs, against removal and against Find and
	// FindMany, in the order of FindMany. It locks no person, so that whoever has
	// locked a course exclusively may call it.
	LockMany(ctx context.Context, pairs []enrollment.Pair, role enrollment.Role) error

	// AddIfAbsent keeps those of es whose person does not have that role in that
	// course yet, one of several alike, and returns how many it kept. When a
	// person or a course does not exist, or an id is another's, it is refused with
	// an error.
	AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error)

	// Remove forgets the person's enrollments as role in courses and returns how
	// many there were; those that do not exist are passed over.
	Remove(ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID) (int, error)

	// RemoveFrom forgets the enrollments as role of people in a course and returns
	// how many there were; those that do not exist are passed over.
	RemoveFrom(ctx context.Context, c course.ID, role enrollment.Role, people []person.ID) (int, error)

	// RemoveOfPerson forgets all enrollments of a person.
	RemoveOfPerson(ctx context.Context, p person.ID) error
}
