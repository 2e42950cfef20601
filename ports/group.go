package ports

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/query"
)

// GroupReader reads groups.
type GroupReader interface {
	Lister[group.Summary]

	// Get returns the group with the given id, or NotFound if there is none.
	Get(ctx context.Context, id group.ID) (group.Summary, error)

	// ListWithCourses is like List, but restricted to the groups that have one of the given
	// courses.
	ListWithCourses(ctx context.Context, courses []course.ID, q query.Query) (query.Result[group.Summary], error)
}

// GroupRepo reads and writes groups and their courses.
type GroupRepo interface {
	GroupReader

	// GetForUpdate returns the group with the given id and locks it for update, or returns NotFound
	// if there is none.
	GetForUpdate(ctx context.Context, id group.ID) (group.Group, error)

	// GetManyForShare returns the groups with the given ids, as a map by id that omits ids that do
	// not exist. It locks them against deletion. The lock conflicts with GetForUpdate but not with
	// another GetManyForShare: many people can join concurrently, but not while the group's courses
	// change.
	GetManyForShare(ctx context.Context, ids []group.ID) (map[group.ID]group.Group, error)

	// IDsByName returns the ids of the groups with the given names, as a map by the text.UniqueKey
	// of the name. The map omits names without a group.
	IDsByName(ctx context.Context, names []string) (map[string]group.ID, error)

	// Add inserts a new group. If another group has the same name (by text.UniqueKey), Add returns
	// Invalid on the field name, with that group as the holder.
	Add(ctx context.Context, g group.Group) error

	// Save updates a group. It returns NotFound if the group does not exist. It refuses a name that
	// is taken, like Add.
	Save(ctx context.Context, g group.Group) error

	// Delete deletes the group with the given id and the list of its courses. It returns NotFound
	// if there is none, and an error if memberships of the group exist.
	Delete(ctx context.Context, id group.ID) error

	// CourseIDs returns the ids of the courses of each group, ordered by id, as a map by group that
	// omits groups without courses.
	CourseIDs(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error)

	// AddCourses adds courses to the group and returns how many were not in it before. It returns
	// an error if the group or a course does not exist. The caller must hold the lock of
	// GetForUpdate, so that no person joins the group concurrently.
	AddCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error)

	// RemoveCourses removes courses from the group and returns how many were in it.
	RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error)
}
