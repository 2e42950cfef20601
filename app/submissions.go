package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Submissions is what can be done with what learners have handed in.
type Submissions struct {
	deps  usecase.Deps
	files ports.Files
}

// List returns a page of the submissions of all assignments.
func (u *Submissions) List(ctx context.Context, a Actor, q query.Query) (query.Result[submission.Summary], error) {
	return u.deps.Store.Read(a.School()).Submissions.List(ctx, q)
}

// ListOf returns a page of the submissions of one assignment.
func (u *Submissions) ListOf(
	ctx context.Context, a Actor, id assignment.ID, q query.Query,
) (query.Result[submission.Summary], error) {
	r := u.deps.Store.Read(a.School())
	if _, err := r.Assignments.Get(ctx, id); err != nil {
		return query.Result[submission.Summary]{}, err
	}
	return r.Submissions.List(ctx, q.And(query.Cond{
		Attr: submission.Schema.Attr("assignment.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
	}))
}

// Get returns one submission.
func (u *Submissions) Get(ctx context.Context, a Actor, id submission.ID) (submission.Summary, error) {
	return u.deps.Store.Read(a.School()).Submissions.Get(ctx, id)
}
