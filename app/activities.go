package app

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/query"
)

// Activities is what can be done with activities.
type Activities struct{ deps }

// List returns a page of the activities of all courses.
func (u *Activities) List(ctx context.Context, a Actor, q query.Query) (query.Result[activity.State], error) {
	return u.store.Read(a.school).Activities.List(ctx, q)
}

// ListOfCourse returns a page of the activities of the course that ref names:
// its UUID or its permalink.
func (u *Activities) ListOfCourse(
	ctx context.Context, a Actor, ref string, q query.Query,
) (query.Result[activity.State], error) {
	r := u.store.Read(a.school)
	id, err := courseID(ctx, r.Courses, ref)
	if err != nil {
		return query.Result[activity.State]{}, err
	}
	if _, err := r.Courses.Get(ctx, id); err != nil {
		return query.Result[activity.State]{}, err
	}
	return r.Activities.List(ctx, q.And(query.Cond{
		Attr: activity.Schema.Attr("course.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one activity.
func (u *Activities) Get(ctx context.Context, a Actor, id activity.ID) (activity.State, error) {
	return u.store.Read(a.school).Activities.Get(ctx, id)
}
