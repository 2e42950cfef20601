package ports

import (
	"context"

	"lyceum/domain/category"
)

// CategoryReader reads categories.
type CategoryReader interface {
	Lister[category.State]

	// Find returns the category id, NotFound when there is none. In a Tx it locks
	// the category.
	Find(ctx context.Context, id category.ID) (category.Category, error)
}

// CategoryRepo reads and writes categories.
type CategoryRepo interface {
	CategoryReader

	// Load returns the categories ids, each once, by id; those that the school has
	// not are absent. It locks them against change and removal, and waits for who
	// has found one.
	Load(ctx context.Context, ids []category.ID) (map[category.ID]category.Category, error)

	// Add keeps a new category. A name whose text.Key another category has is
	// Invalid, on the field name, with that category as the holder.
	Add(ctx context.Context, c category.Category) error

	// Save keeps a changed category, under Add's rule on names; NotFound when
	// there is no such category.
	Save(ctx context.Context, c category.Category) error

	// Remove forgets the category id, NotFound when there is none. It refuses
	// with an error while a course stands under it.
	Remove(ctx context.Context, id category.ID) error
}
