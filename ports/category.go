package ports

import (
	"context"

	"lyceum/domain/category"
)

// CategoryReader reads categories.
type CategoryReader interface {
	Lister[category.State]

	// Get returns the category with the given id, or NotFound if there is none.
	Get(ctx context.Context, id category.ID) (category.State, error)
}

// CategoryRepo reads and writes categories.
type CategoryRepo interface {
	CategoryReader

	// GetForUpdate returns the category with the given id and locks it for update, or returns
	// NotFound if there is none.
	GetForUpdate(ctx context.Context, id category.ID) (category.Category, error)

	// GetManyForShare returns the categories with the given ids, as a map by id that omits ids that
	// do not exist. It locks them against change and deletion. It waits while another transaction
	// holds one of them ForUpdate.
	GetManyForShare(ctx context.Context, ids []category.ID) (map[category.ID]category.Category, error)

	// Add inserts a new category. If another category has the same name (by text.UniqueKey), Add
	// returns Invalid on the field name, with that category as the holder.
	Add(ctx context.Context, c category.Category) error

	// Save updates a category. It returns NotFound if the category does not exist. It refuses a
	// name that is taken, like Add.
	Save(ctx context.Context, c category.Category) error

	// Delete deletes the category with the given id. It returns NotFound if there is none, and an
	// error if a course belongs to the category.
	Delete(ctx context.Context, id category.ID) error
}
