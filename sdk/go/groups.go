package lyceum

import (
	"context"
	"net/http"
)

// Groups manages groups of people who take the same courses together.
type Groups struct {
	Lister[ListedGroup]
	Getter[Group]
	Creator[NewGroup, Group]
	Updater[ChangedGroup, Group]
	Deleter
}

// Memberships returns the list of the members and managers of a group.
func (g Groups) Memberships(groupID string) Lister[Membership] {
	return Lister[Membership]{g.Lister.at(groupID, "memberships")}
}

// AddPeople makes people members of the group and enrolls them in its courses.
func (g Groups) AddPeople(ctx context.Context, groupID string, personIDs ...string) error {
	return refer(ctx, g.related(groupID, "people"), http.MethodPost, "people", personIDs)
}

// RemovePeople ends memberships. The people stay enrolled in the courses of the group.
func (g Groups) RemovePeople(ctx context.Context, groupID string, personIDs ...string) error {
	return refer(ctx, g.related(groupID, "people"), http.MethodDelete, "people", personIDs)
}

// AddCourses adds courses to the group and enrolls its members in them.
func (g Groups) AddCourses(ctx context.Context, groupID string, courseIDs ...string) error {
	return refer(ctx, g.related(groupID, "courses"), http.MethodPost, "courses", courseIDs)
}

// RemoveCourses removes courses from the group. Its members stay enrolled in them.
func (g Groups) RemoveCourses(ctx context.Context, groupID string, courseIDs ...string) error {
	return refer(ctx, g.related(groupID, "courses"), http.MethodDelete, "courses", courseIDs)
}

func (g Groups) related(groupID, noun string) endpoint {
	return g.Lister.at(groupID, "relationships", noun)
}
