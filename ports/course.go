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

	// Get returns the course id, or NotFound if there is none.
	Get(ctx context.Context, id course.ID) (course.Summary, error)

	// ByPermalink returns the id of the course with that permalink, or NotFound if there is none.
	// Permalinks are compared byte by byte.
	ByPermalink(ctx context.Context, permalink string) (course.ID, error)
}

// RemovedRecords is what one call of ContinueRemoval has deleted.
type RemovedRecords struct {
	Submissions []submission.ID // by id; their files can be deleted
	Done        bool            // nothing of the course is left
}

// CourseRepo reads and writes courses.
type CourseRepo interface {
	CourseReader

	// GetForUpdate returns the course id and locks it for update, NotFound if there is none. The
	// lock does not conflict with transactions that enroll people in the course or record progress
	// in it.
	GetForUpdate(ctx context.Context, id course.ID) (course.Course, error)

	// GetManyForShare returns the courses ids, each once, by id; the result omits ids that do not
	// exist. It locks them against deletion.
	GetManyForShare(ctx context.Context, ids []course.ID) (map[course.ID]course.Course, error)

	// ByPermalinks returns the ids of the courses with these permalinks, by permalink, compared
	// byte by byte; the result omits permalinks without a course.
	ByPermalinks(ctx context.Context, permalinks []string) (map[string]course.ID, error)

	// Add inserts a new course with its categories and instructors. If another course has the
	// permalink, Add returns Invalid on the field permalink, with that course as the holder. It
	// returns an error if a category or partnership does not exist.
	Add(ctx context.Context, c course.Course) error

	// Save updates a course with its categories and instructors under the rules of Add, NotFound if
	// it does not exist. The caller holds the lock of GetForUpdate.
	Save(ctx context.Context, c course.Course) error

	// DetachCategory removes the category from all courses.
	DetachCategory(ctx context.Context, id category.ID) error

	// DetachInstructor removes the partnership from all courses.
	DetachInstructor(ctx context.Context, id person.PartnershipID) error

	// CountDependents counts the records that belong to the course id; all counts are zero if there
	// is no such course.
	CountDependents(ctx context.Context, id course.ID) (course.Dependents, error)

	// LockExclusive locks the course id, NotFound if there is none: until the end of the
	// transaction no other transaction enrolls people in it, records progress in it, or adds it to
	// a group. A transaction calls it before it takes any other lock.
	LockExclusive(ctx context.Context, id course.ID) error

	// BeginRemoval locks the course id like LockExclusive and hides it, NotFound if there is none:
	// for all methods but ContinueRemoval the course no longer exists, in no list, group or
	// category, and its permalink is free. Its other records remain until ContinueRemoval has
	// deleted them, but no reader or snapshot returns or counts them. As long as they remain,
	// EventLog.Append may return Unavailable for client ids of its events, and StructureRepo may
	// consider quizzes that were used in it as started.
	BeginRemoval(ctx context.Context, id course.ID, now time.Time) error

	// ContinueRemoval deletes records of a course whose removal has begun: those of at least limit
	// people, or all that are left. limit is above 0 and bounds how long other transactions wait; a
	// store without row locks may delete everything. The result is Done if the removal has ended or
	// was never begun.
	ContinueRemoval(ctx context.Context, id course.ID, limit int) (RemovedRecords, error)
}
