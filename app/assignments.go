package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
)

// Assignments lists assignments.
type Assignments struct{ deps usecase.Deps }

// Check returns NotFound if the assignment id does not exist, or if the actor is a learner and no
// activity of their courses has the assignment.
func (u *Assignments) Check(ctx context.Context, a Actor, id assignment.ID) error {
	a, err := u.deps.OnAssignment(ctx, a, id)
	if err == nil {
		_, err = u.deps.Read(a).Assignments.Get(ctx, id)
	}
	return err
}

// List returns a page of assignments.
func (u *Assignments) List(ctx context.Context, a Actor, q query.Query) (query.Result[assignment.State], error) {
	return u.deps.Read(a).Assignments.List(ctx, q)
}
