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

	// Get returns the course id as documents show it, NotFound when there is none.
	Get(ctx context.Context, id course.ID) (course.Summary, error)

	// ByPermalink returns the id of the course with that permalink, NotFound when
	// there is none. Permalinks are compared byte by byte.
	ByPermalink(ctx context.Context, permalink string) (course.ID, error)
}

// Removed is what a step of the removal of a course has removed.
type Removed struct {
	Submissions []submission.ID // whose files nothing needs any longer; by id
	Done        bool            // nothing of the course is left
}

// CourseRepo reads and writes courses.
type CourseRepo interface {
	CourseReader

	// Find returns the course id, NotFound when there is none, and locks the
	// course: against change and removal, but not against those who enroll or learn
	// in it.
	Find(ctx context.Context, id course.ID) (course.Course, error)

	// Load returns the courses ids, each once, by id; those that the school has
	// not are absent. It locks them against removal.
	Load(ctx context.Context, ids []course.ID) (map[course.ID]course.Course, error)

	// ByPermalinks returns the ids of the courses with these permalinks, by
	// permalink, each compared byte by byte; those that no course has are absent.
	ByPermalinks(ctx context.Context, permalinks []string) (map[string]course.ID, error)

	// Add keeps a new course with its categories and instructors. A permalink
	// that another course has is Invalid, on the field permalink, with that
	// course as the holder. A category or partnership that the school has not is
	// refused with an error.
	Add(ctx context.Context, c course.Course) error

	// Save keeps a changed course with its categories and instructors, under Add's
	// rules; NotFound when there is no such course. The caller has found the course
	// (Find).
	Save(ctx context.Context, c course.Course) error

	// DetachCategory takes the category from all courses that stand under it.
	DetachCategory(ctx context.Context, id category.ID) error

	// DetachInstructor takes the partnership from all courses that it instructs.
	DetachInstructor(ctx context.Context, id person.PartnershipID) error

	// Contents returns how much there is of what belongs to the course id; nothing
	// when there is no such course.
	Contents(ctx context.Context, id course.ID) (course.Contents, error)

	// LockExclusive locks the course id, NotFound if there is none: until the end of
	// the transaction no other transaction enrolls in it, learns in it, or puts it
	// into a group. A transaction takes it before all other locks.
	LockExclusive(ctx context.Context, id course.ID) error

	// BeginRemoval locks the course id like LockExclusive and takes it out of the
	// school, NotFound if there is none: for all methods but ContinueRemoval it does
	// not exist any longer, in no list, group or category, and its permalink is
	// free. No reader or snapshot returns its other records or counts them, although
	// they stay until ContinueRemoval has removed them. As long as they stay,
	// EventLog.Append may refuse client ids of its events as unavailable, and
	// StructureRepo may take quizzes that were asked in it for begun.
	BeginRemoval(ctx context.Context, id course.ID, now time.Time) error

	// ContinueRemoval removes records of a course whose removal has begun: those of
	// at least so many people, as far as there are any, or the rest. most is above 0
	// and bounds how long other transactions wait; a store without row locks may
	// remove everything. A course whose removal has not begun, or has ended, is Done.
	ContinueRemoval(ctx context.Context, id course.ID, most int) (Removed, error)
}
