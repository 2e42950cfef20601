package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Categories is what can be done with categories.
type Categories struct{ deps usecase.Deps }

// CategoryChange is what may be changed of a category; nil leaves it as it is.
type CategoryChange struct {
	Name *string
}

// List returns a page of categories.
func (u *Categories) List(ctx context.Context, a Actor, q query.Query) (query.Result[category.State], error) {
	return u.deps.Store.Read(a.School()).Categories.List(ctx, q)
}

// Get returns one category.
func (u *Categories) Get(ctx context.Context, a Actor, id category.ID) (category.State, error) {
	c, err := u.deps.Store.Read(a.School()).Categories.Find(ctx, id)
	return c.State(), err
}

// Create adds a category.
func (u *Categories) Create(ctx context.Context, a Actor, name string) (category.State, error) {
	c, err := category.New(category.ID{UUID: u.deps.IDs.New()}, name, u.deps.Clock.Now())
	if err != nil {
		return category.State{}, err
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return tx.Categories.Add(ctx, c)
	})
	return c.State(), err
}

// Update changes a category and returns it as it is then.
func (u *Categories) Update(ctx context.Context, a Actor, id category.ID, change CategoryChange) (category.State, error) {
	now := u.deps.Clock.Now()
	var after category.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Categories.Find(ctx, id)
		if err != nil {
			return err
		}
		before := c.State()
		if change.Name != nil {
			if err := c.Rename(*change.Name, now); err != nil {
				return err
			}
		}
		after = c.State()
		if after == before {
			return nil
		}
		return tx.Categories.Save(ctx, c)
	})
	return after, err
}

// Delete removes a category for good; courses that stood under it stay.
func (u *Categories) Delete(ctx context.Context, a Actor, id category.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Categories.Find(ctx, id); err != nil {
			return err
		}
		if err := tx.Courses.DetachCategory(ctx, id); err != nil {
			return err
		}
		return tx.Categories.Remove(ctx, id)
	})
}
