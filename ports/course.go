package ports

import (
	"context"

	"lyceum/domain/category"
	"lyceum/domain/course"
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

	// DetachCategory takes the category from all courses that stand under it.
	DetachCategory(ctx context.Context, id category.ID) error
}
