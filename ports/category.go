package ports

import (
	"context"

	"lyceum/domain/category"
)

// CategoryReader reads categories.
type CategoryReader interface {
	Lister[category.State]

	// Get returns the category id, or NotFound if there is none.
	Get(ctx context.Context, id category.ID) (category.State, error)
}

// CategoryRepo reads and writes categories.
type CategoryRepo interface {
	CategoryReader

	// GetForUpdate returns the category id and locks it for update, NotFound if there is none.
	GetForUpdate(ctx context.Context, id category.ID) (category.Category, error)

	// GetManyForShare returns the categories ids, each once, by id; the result omits ids that do
	// not exist. It locks them against change and deletion, and it blocks while another transaction
	// holds one ForUpdate.
	GetManyForShare(ctx context.Context, ids []category.ID) (map[category.ID]category.Category, error)

	// Add inserts a new category. If another category has the same name (by text.UniqueKey), Add
	// returns Invalid for the field "name", with that category as the holder.
	Add(ctx context.Context, c category.Category) error

	// Save updates a category, NotFound if it does not exist. A name that is taken is refused as by
	// Add.
	Save(ctx context.Context, c category.Category) error

	// Delete deletes the category id, NotFound if there is none. It returns an error if a course
	// belongs to the category.
	Delete(ctx context.Context, id category.ID) error
}
