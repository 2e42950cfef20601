package ports

import (
	"context"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
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

	// Close locks the course id against everybody, NotFound when there is none:
	// before the end nobody enrolls in it, learns in it, or puts it into a group.
	Close(ctx context.Context, id course.ID) error

	// Remove forgets the course id, with its places under categories and its
	// instructors; NotFound when there is none. It refuses with an error while
	// anything else of the course's exists: activities, enrollments, course
	// attempts, quiz attempts, submissions, or groups that hold it.
	Remove(ctx context.Context, id course.ID) error
}
