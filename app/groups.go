package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Groups is what can be done with groups.
type Groups struct{ deps usecase.Deps }

// GroupChange is what may be changed of a group; nil leaves it as it is.
type GroupChange struct {
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

// Update changes a group and returns it as it is then.
func (u *Groups) Update(ctx context.Context, a Actor, id group.ID, change GroupChange) (group.Summary, error) {
	now := u.deps.Clock.Now()
	var after group.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		g, err := tx.Groups.Find(ctx, id)
		if err != nil {
			return err
		}
		before := g.State()
		if change.Name != nil {
			if err := g.Rename(*change.Name, now); err != nil {
				return err
			}
		}
		if g.State() != before {
			if err := tx.Groups.Save(ctx, g); err != nil {
				return err
			}
		}
		after, err = tx.Groups.Get(ctx, id)
		return err
	})
	return after, err
}

// Delete removes a group and its memberships for good. Enrollments that came of
// them stay.
func (u *Groups) Delete(ctx context.Context, a Actor, id group.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.Find(ctx, id); err != nil {
			return err
		}
		if err := tx.Memberships.RemoveOfGroup(ctx, id); err != nil {
			return err
		}
		return tx.Groups.Remove(ctx, id)
	})
}
