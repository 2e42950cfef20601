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

	// Get returns the enrollment with the given id, or NotFound if there is none.
	Get(ctx context.Context, id enrollment.ID) (enrollment.Summary, error)

	// ByPerson returns the person's enrollments, ordered by id. The result is empty if the person
	// does not exist.
	ByPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error)
}

// EnrollmentRepo reads and writes enrollments. The counts in lists (course.Summary's
// EnrollmentsCount, person.Summary's CourseCount) are derived from the enrollments as learner. They
// are exact at the end of every transaction, under any concurrency; transactions that enroll people
// in the same course do not wait for each other.
type EnrollmentRepo interface {
	EnrollmentReader

	// GetManyForUpdate returns the enrollments of the pairs with the given role and locks them for
	// update. The result omits pairs without such an enrollment. It first locks the people of all
	// pairs against deletion, including those without an enrollment. It takes all locks in one
	// fixed order.
	GetManyForUpdate(ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role) (map[enrollment.PersonCourse]enrollment.Enrollment, error)

	// LockManyForUpdate locks the enrollments of pairs for update, in the order of
	// GetManyForUpdate. It does not lock people, so a transaction that has locked a course
	// exclusively may call it.
	LockManyForUpdate(ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role) error

	// AddIfAbsent inserts each of the enrollments unless the person already has that role in that
	// course. Of several equal enrollments it inserts one. It returns how many it inserted. It
	// returns an error if a person or a course does not exist, or if another enrollment has the
	// same id.
	AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error)

	// RemoveFromCourses deletes the person's enrollments in the given courses with the given role
	// and returns how many it deleted. It ignores enrollments that do not exist.
	RemoveFromCourses(ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID) (int, error)

	// RemovePeople deletes the enrollments of the given people in a course with the given role and
	// returns how many it deleted. It ignores enrollments that do not exist.
	RemovePeople(ctx context.Context, c course.ID, role enrollment.Role, people []person.ID) (int, error)

	// DeleteByPerson deletes all enrollments of a person.
	DeleteByPerson(ctx context.Context, p person.ID) error
}
