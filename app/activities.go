package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/query"
)

// Activities lists and gets activities.
type Activities struct{ deps usecase.Deps }

// notArchived selects activities that are not archived.
var notArchived = query.Cond{Attr: activity.Schema.Attr("archived"), Op: query.Eq, Values: []query.Value{{Bool: false}}}

// List returns a page of the activities of all courses, without archived ones.
func (u *Activities) List(ctx context.Context, a Actor, q query.Query) (query.Result[activity.State], error) {
	return u.deps.Store.Read(a.School()).Activities.List(ctx, q.And(notArchived))
}

// ListAll is like List, but includes archived activities.
func (u *Activities) ListAll(ctx context.Context, a Actor, q query.Query) (query.Result[activity.State], error) {
	return u.deps.Store.Read(a.School()).Activities.List(ctx, q)
}

// ListOfCourse returns a page of the activities of the course ref, which is an ID or a permalink,
// without archived ones.
func (u *Activities) ListOfCourse(
	ctx context.Context, a Actor, ref string, q query.Query,
) (query.Result[activity.State], error) {
	r := u.deps.Store.Read(a.School())
	return listOfCourse(ctx, r.Courses, ref, r.Activities.List, activity.Schema.Attr("course.id"), q.And(notArchived))
}

// Get returns one activity, which may be archived.
func (u *Activities) Get(ctx context.Context, a Actor, id activity.ID) (activity.State, error) {
	return u.deps.Store.Read(a.School()).Activities.Get(ctx, id)
}
