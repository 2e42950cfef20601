package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Groups manages groups.
type Groups struct{ deps usecase.Deps }

// GroupChanges are the attributes of a group to update; nil leaves one as it is.
type GroupChanges struct {
	Name *string
}

// List returns a page of groups.
func (u *Groups) List(ctx context.Context, a Actor, q query.Query) (query.Result[group.Summary], error) {
	return u.deps.Store.Read(a.School()).Groups.List(ctx, q)
}

// Get returns one group.
func (u *Groups) Get(ctx context.Context, a Actor, id group.ID) (group.Summary, error) {
	return u.deps.Store.Read(a.School()).Groups.Get(ctx, id)
}

// Create adds a group.
func (u *Groups) Create(ctx context.Context, a Actor, name string) (group.Summary, error) {
	g, err := group.New(group.ID{UUID: u.deps.IDs.New()}, name, u.deps.NewToken(), u.deps.Clock.Now())
	if err != nil {
		return group.Summary{}, err
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return tx.Groups.Add(ctx, g)
	})
	return group.Summary{State: g.State()}, err
}

// Update changes a group and returns the updated one.
func (u *Groups) Update(ctx context.Context, a Actor, id group.ID, change GroupChanges) (group.Summary, error) {
	now := u.deps.Clock.Now()
	var after group.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		_, err := usecase.Update(ctx, tx.Groups, id, func(g *group.Group) (bool, error) {
			if change.Name == nil {
				return false, nil
			}
			before := g.State()
			err := g.Rename(*change.Name, now)
			return g.State() != before, err
		})
		if err != nil {
			return err
		}
		after, err = tx.Groups.Get(ctx, id)
		return err
	})
	return after, err
}

// Delete deletes a group and its memberships. Enrollments remain.
func (u *Groups) Delete(ctx context.Context, a Actor, id group.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.GetForUpdate(ctx, id); err != nil {
			return err
		}
		if err := tx.Memberships.DeleteByGroup(ctx, id); err != nil {
			return err
		}
		return tx.Groups.Delete(ctx, id)
	})
}
