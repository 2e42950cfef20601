package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Submissions lists and gets submissions and their files.
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
	return listOf(ctx, id, r.Assignments.Get, r.Submissions.List, submission.Schema.Attr("assignment.id"), q)
}

// Get returns one submission.
func (u *Submissions) Get(ctx context.Context, a Actor, id submission.ID) (submission.Summary, error) {
	return u.deps.Store.Read(a.School()).Submissions.Get(ctx, id)
}
