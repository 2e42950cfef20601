package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/query"
)

// Activities is what can be done with activities.
type Activities struct{ deps usecase.Deps }

// live holds for the activities that lists show: archived ones are found by
// their ids alone.
var live = query.Cond{Attr: activity.Schema.Attr("archived"), Op: query.Eq, Values: []query.Value{{Bool: false}}}

// List returns a page of the activities of all courses, without those archived.
func (u *Activities) List(ctx context.Context, a Actor, q query.Query) (query.Result[activity.State], error) {
	return u.deps.Store.Read(a.School()).Activities.List(ctx, q.And(live))
}

// ListOfCourse returns a page of the activities of the course that ref names:
// its UUID or its permalink, without those archived.
func (u *Activities) ListOfCourse(
	ctx context.Context, a Actor, ref string, q query.Query,
) (query.Result[activity.State], error) {
	r := u.deps.Store.Read(a.School())
	id, err := usecase.CourseID(ctx, r.Courses, ref)
	if err != nil {
		return query.Result[activity.State]{}, err
	}
	if _, err := r.Courses.Get(ctx, id); err != nil {
		return query.Result[activity.State]{}, err
	}
	return r.Activities.List(ctx, q.And(live).And(query.Cond{
		Attr: activity.Schema.Attr("course.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one activity, an archived one too.
func (u *Activities) Get(ctx context.Context, a Actor, id activity.ID) (activity.State, error) {
	return u.deps.Store.Read(a.School()).Activities.Get(ctx, id)
}
