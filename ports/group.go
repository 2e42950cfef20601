package ports

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/group"
)

// GroupReader reads groups.
type GroupReader interface {
	Lister[group.Summary]

	// Get returns the group id as documents show it, NotFound when there is none.
	Get(ctx context.Context, id group.ID) (group.Summary, error)
}

// GroupRepo reads and writes groups and the courses that they hold.
type GroupRepo interface {
	GroupReader

	// Find returns the group id, NotFound when there is none, and locks the group.
	Find(ctx context.Context, id group.ID) (group.Group, error)

	// Load returns the groups ids, each once, by id; those that the school has not
	// are absent. It locks them against removal and against a Find by another
	// transaction, but not against another Load: many may join at once, while a
	// change of the group's courses waits for them and they for it.
	Load(ctx context.Context, ids []group.ID) (map[group.ID]group.Group, error)

	// ByName returns the ids of the groups with these names, by the text.Key of
	// each; names that no group has are absent. It locks nothing.
	ByName(ctx context.Context, names []string) (map[string]group.ID, error)

	// Add keeps a new group. A name whose text.Key another group has is Invalid,
	// on the field name, with that group as the holder.
	Add(ctx context.Context, g group.Group) error

	// Save keeps a changed group, under Add's rule on names; NotFound when there
	// is no such group.
	Save(ctx context.Context, g group.Group) error

	// Remove forgets the group id and the list of its courses, NotFound when there
	// is none. It refuses with an error while memberships of the group exist.
	Remove(ctx context.Context, id group.ID) error

	// Courses returns the courses of each of the groups ids, in the order of
	// their ids; a group without any is absent.
	Courses(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error)

	// AddCourses puts courses into the group unless they are in it, and returns
	// how many it put. When the group or a course does not exist it is refused
	// with an error. The caller has found the group (Find), so that nobody joins
	// it meanwhile.
	AddCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error)

	// RemoveCourses takes courses from the group and returns how many were in it.
	RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error)
}
