package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/query"
)

// Assignments is what can be done with assignments.
type Assignments struct{ deps usecase.Deps }

// Check is NotFound when the school has no such assignment.
func (u *Assignments) Check(ctx context.Context, a Actor, id assignment.ID) error {
	_, err := u.deps.Store.Read(a.School()).Assignments.Get(ctx, id)
	return err
}

// List returns a page of assignments.
func (u *Assignments) List(ctx context.Context, a Actor, q query.Query) (query.Result[assignment.State], error) {
	return u.deps.Store.Read(a.School()).Assignments.List(ctx, q)
}
