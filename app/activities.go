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

// List returns a page of the activities of all courses, without archived ones. A learner sees only
// activities of their own courses.
func (u *Activities) List(ctx context.Context, a Actor, q query.Query) (query.Result[activity.State], error) {
	return u.ListAll(ctx, a, q.And(notArchived))
}

// ListAll is like List, but includes archived activities.
func (u *Activities) ListAll(ctx context.Context, a Actor, q query.Query) (query.Result[activity.State], error) {
	a, q, err := u.deps.OwnCourses(ctx, a, q, activity.Schema.Attr("course.id"))
	if err != nil {
		return query.Result[activity.State]{}, err
	}
	return u.deps.Read(a).Activities.List(ctx, q)
}

// ListOfCourse returns a page of a course's activities, without archived ones. ref is the course's
// ID or permalink.
func (u *Activities) ListOfCourse(
	ctx context.Context, a Actor, ref string, q query.Query,
) (query.Result[activity.State], error) {
	a, id, err := u.deps.Course(ctx, a, ref)
	if err != nil {
		return query.Result[activity.State]{}, err
	}
	r := u.deps.Read(a)
	return listOfCourse(ctx, r.Courses, id.String(), r.Activities.List, activity.Schema.Attr("course.id"), q.And(notArchived))
}

// Get returns one activity, which may be archived.
func (u *Activities) Get(ctx context.Context, a Actor, id activity.ID) (activity.State, error) {
	found, err := u.deps.Read(a.Permit()).Activities.Get(ctx, id)
	if err == nil {
		_, err = u.deps.OnCourse(ctx, a, found.Course)
	}
	return found, err
}
