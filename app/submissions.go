package app

import (
	"cmp"
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Submissions lists and gets submissions and their files.
type Submissions struct {
	deps  usecase.Deps
	files ports.Files
}

// List returns a page of the submissions of all assignments. A learner sees only their own.
func (u *Submissions) List(ctx context.Context, a Actor, q query.Query) (query.Result[submission.Summary], error) {
	a, q = a.Own(q, submission.Schema.Attr("person.id"))
	return u.deps.Read(a).Submissions.List(ctx, q)
}

// ListOf returns a page of the submissions of one assignment. A learner sees only their own. It
// returns NotFound to a learner who has no submission if no activity of their courses has the
// assignment.
func (u *Submissions) ListOf(
	ctx context.Context, a Actor, id assignment.ID, q query.Query,
) (query.Result[submission.Summary], error) {
	var result query.Result[submission.Summary]
	of := submission.Schema.Attr("assignment.id")
	if _, err := u.deps.OnAssignment(ctx, a, id); fault.Is(err, fault.NotFound) {
		// The enrollment may have ended after the submission.
		own, errOwn := u.List(ctx, a, query.Query{Where: query.HasID(of, id.UUID), Page: query.NewPage(1, 1)})
		if errOwn != nil || len(own.Items) == 0 {
			return result, cmp.Or(errOwn, err)
		}
	} else if err != nil {
		return result, err
	}
	a, q = a.Own(q, submission.Schema.Attr("person.id"))
	r := u.deps.Read(a)
	return listOf(ctx, id, r.Assignments.Get, r.Submissions.List, of, q)
}

// Get returns the submission with the given id, or NotFound if it does not exist.
func (u *Submissions) Get(ctx context.Context, a Actor, id submission.ID) (submission.Summary, error) {
	found, err := u.deps.Read(a.Permit()).Submissions.Get(ctx, id)
	if err == nil {
		err = a.OnRecordOf(found.Person)
	}
	return found, err
}
