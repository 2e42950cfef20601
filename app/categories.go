package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Categories manages categories.
type Categories struct{ deps usecase.Deps }

// CategoryChanges contains new values for the attributes of a category. A nil field leaves its
// attribute unchanged.
type CategoryChanges struct {
	Name *string
	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(category.State) error
}

// List returns a page of categories.
func (u *Categories) List(ctx context.Context, a Actor, q query.Query) (query.Result[category.State], error) {
	return u.deps.Read(a).Categories.List(ctx, q)
}

// Get returns the category with the given id, or NotFound if it does not exist.
func (u *Categories) Get(ctx context.Context, a Actor, id category.ID) (category.State, error) {
	return u.deps.Read(a).Categories.Get(ctx, id)
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

// Update changes a category and returns the updated category.
func (u *Categories) Update(ctx context.Context, a Actor, id category.ID, change CategoryChanges) (category.State, error) {
	now := u.deps.Clock.Now()
	var after category.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := usecase.Update(ctx, tx.Categories, id, func(c *category.Category) (bool, error) {
			if change.Name == nil {
				return false, nil
			}
			before := c.State()
			if change.Check != nil {
				if err := change.Check(before); err != nil {
					return false, err
				}
			}
			err := c.Rename(*change.Name, now)
			return c.State() != before, err
		})
		after = c.State()
		return err
	})
	return after, err
}

// Delete deletes a category. Its courses remain.
func (u *Categories) Delete(ctx context.Context, a Actor, id category.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Categories.GetForUpdate(ctx, id); err != nil {
			return err
		}
		if err := tx.Courses.DetachCategory(ctx, id); err != nil {
			return err
		}
		return tx.Categories.Delete(ctx, id)
	})
}
