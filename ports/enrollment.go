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

	// Get returns the enrollment id, or NotFound if there is none.
	Get(ctx context.Context, id enrollment.ID) (enrollment.Summary, error)

	// ByPerson returns the person's enrollments, by id. The result is empty if there is no such
	// person.
	ByPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error)
}

// EnrollmentRepo reads and writes enrollments. The counts in lists (course.Summary's
// EnrollmentsCount, person.Summary's CourseCount) are derived from the enrollments as learner. They
// are exact at the end of every transaction, under any concurrency; transactions that enroll people
// in the same course do not wait for each other.
type EnrollmentRepo interface {
	EnrollmentReader

	// GetForUpdate returns the enrollment of a person in a course with the given role and locks it
	// for update, NotFound if there is none.
	GetForUpdate(ctx context.Context, p person.ID, c course.ID, role enrollment.Role) (enrollment.Enrollment, error)

	// GetManyForUpdate is GetForUpdate for many pairs; the result omits pairs without such an
	// enrollment. It first locks the people of all pairs against deletion, also those without an
	// enrollment, and takes all locks in one fixed order.
	GetManyForUpdate(ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role) (map[enrollment.PersonCourse]enrollment.Enrollment, error)

	// LockManyForUpdate locks the enrollments of pairs for update, in the order of
	// GetManyForUpdate. It locks no person, so that a transaction that has locked a course
	// exclusively may call it.
	LockManyForUpdate(ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role) error

	// AddIfAbsent inserts the enrollments whose person does not have that role in that course yet,
	// only one of several equal ones, and returns how many it inserted. It returns an error if a
	// person or a course does not exist, or if another enrollment has the id.
	AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error)

	// RemoveFromCourses deletes the person's enrollments in courses with that role and returns how
	// many it deleted; those that do not exist are ignored.
	RemoveFromCourses(ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID) (int, error)

	// RemovePeople deletes the enrollments of people in a course with that role and returns how
	// many it deleted; those that do not exist are ignored.
	RemovePeople(ctx context.Context, c course.ID, role enrollment.Role, people []person.ID) (int, error)

	// DeleteByPerson deletes all enrollments of a person.
	DeleteByPerson(ctx context.Context, p person.ID) error
}
