package ports

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/group"
)

// GroupReader reads groups.
type GroupReader interface {
	Lister[group.Summary]

	// Get returns the group id, or NotFound if there is none.
	Get(ctx context.Context, id group.ID) (group.Summary, error)
}

// GroupRepo reads and writes groups and their courses.
type GroupRepo interface {
	GroupReader

	// GetForUpdate returns the group id and locks it for update, NotFound if there is none.
	GetForUpdate(ctx context.Context, id group.ID) (group.Group, error)

	// GetManyForShare returns the groups ids, each once, by id; the result omits ids that do not
	// exist. It locks them against deletion. The lock conflicts with GetForUpdate but not with
	// another GetManyForShare: many people can join concurrently, but not while the group's courses
	// change.
	GetManyForShare(ctx context.Context, ids []group.ID) (map[group.ID]group.Group, error)

	// IDsByName returns the ids of the groups with these names, by the text.UniqueKey of the name;
	// the result omits names without a group.
	IDsByName(ctx context.Context, names []string) (map[string]group.ID, error)

	// Add inserts a new group. If another group has the same name (by text.UniqueKey), Add returns
	// Invalid on the field name, with that group as the holder.
	Add(ctx context.Context, g group.Group) error

	// Save updates a group, NotFound if it does not exist. A name that is taken is refused as by
	// Add.
	Save(ctx context.Context, g group.Group) error

	// Delete deletes the group id and the list of its courses, NotFound if there is none. It
	// returns an error if memberships of the group exist.
	Delete(ctx context.Context, id group.ID) error

	// CourseIDs returns the courses of each of the groups ids, in the order of their ids; the
	// result omits groups without courses.
	CourseIDs(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error)

	// AddCourses adds courses to the group and returns how many were not in it before. It returns
	// an error if the group or a course does not exist. The caller holds the lock of GetForUpdate,
	// so that no person joins the group concurrently.
	AddCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error)

	// RemoveCourses removes courses from the group and returns how many were in it.
	RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error)
}
