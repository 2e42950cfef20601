package ports

import (
	"context"
	"time"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/submission"
)

// CourseReader reads courses.
type CourseReader interface {
	Lister[course.Summary]

	// Get returns the course with the given id, or NotFound if there is none.
	Get(ctx context.Context, id course.ID) (course.Summary, error)

	// IDByPermalink returns the id of the course with the given permalink, or NotFound if there is
	// none. Permalinks are compared byte by byte.
	IDByPermalink(ctx context.Context, permalink string) (course.ID, error)
}

// RemovedRecords describes what a call of ContinueRemoval deleted.
type RemovedRecords struct {
	Submissions []submission.ID // ordered by id; their files can be deleted
	Done        bool            // the removal is complete
}

// CourseRepo reads and writes courses.
type CourseRepo interface {
	CourseReader

	// GetForUpdate returns the course with the given id and locks it for update, or returns
	// NotFound if there is none. If it waits for the lock of another transaction, the result has the
	// categories and instructors that the other transaction has saved. The lock does not conflict
	// with transactions that enroll people in the course or record progress in it.
	GetForUpdate(ctx context.Context, id course.ID) (course.Course, error)

	// GetManyForShare returns the courses with the given ids, as a map by id that omits ids that do
	// not exist. It locks them against deletion.
	GetManyForShare(ctx context.Context, ids []course.ID) (map[course.ID]course.Course, error)

	// IDsByPermalink returns the ids of the courses with the given permalinks, as a map by
	// permalink that omits permalinks without a course. Permalinks are compared byte by byte.
	IDsByPermalink(ctx context.Context, permalinks []string) (map[string]course.ID, error)

	// Add inserts a new course with its categories and instructors. If another course has its
	// permalink, Add returns Invalid on the field permalink, with that course as the holder. It
	// returns an error if a category or partnership does not exist.
	Add(ctx context.Context, c course.Course) error

	// Save updates a course with its categories and instructors under the rules of Add. It returns
	// NotFound if the course does not exist. The caller must hold the lock of GetForUpdate.
	Save(ctx context.Context, c course.Course) error

	// DetachCategory removes the category from all courses.
	DetachCategory(ctx context.Context, id category.ID) error

	// DetachInstructor removes the partnership from all courses.
	DetachInstructor(ctx context.Context, id person.PartnershipID) error

	// CountDependents counts the records that belong to the course. All counts are zero if the
	// course does not exist.
	CountDependents(ctx context.Context, id course.ID) (course.Dependents, error)

	// LockExclusive locks the course, or returns NotFound if it does not exist. Until the end of
	// the transaction, no other transaction can enroll people in the course, record progress in it,
	// or add it to a group. A transaction must call LockExclusive before it takes any other lock.
	LockExclusive(ctx context.Context, id course.ID) error

	// BeginRemoval locks the course like LockExclusive and hides it. It returns NotFound if the
	// course does not exist. Afterwards the course no longer exists for any method except
	// ContinueRemoval: no list, group or category contains it, and its permalink is free. The
	// records that belong to the course remain until ContinueRemoval has deleted them, but no
	// reader or snapshot returns or counts them. As long as they remain, EventLog.Append may return
	// Unavailable for the client keys of its events, and StructureRepo may treat quizzes that were
	// used in the course as started.
	BeginRemoval(ctx context.Context, id course.ID, now time.Time) error

	// ContinueRemoval deletes records of a course whose removal has begun: the records of at least
	// limit people, or all remaining records. limit must be greater than 0. A low limit shortens
	// the waits of other transactions; a store without row locks may ignore the limit and delete
	// everything. The result is Done if the removal has ended or was never begun. Then the client
	// keys of the deleted events are free.
	ContinueRemoval(ctx context.Context, id course.ID, limit int) (RemovedRecords, error)
}
