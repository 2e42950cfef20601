package ports

import (
	"context"

	"lyceum/domain/property"
)

// PropertyReader reads the definitions of properties.
type PropertyReader interface {
	Lister[property.State]

	// Get returns the definition with the given id, or NotFound if there is none.
	Get(ctx context.Context, id property.ID) (property.State, error)

	// Defined returns all definitions for the resource r, ordered by name.
	Defined(ctx context.Context, r property.Resource) ([]property.State, error)
}

// PropertyRepo reads and writes the definitions of properties.
type PropertyRepo interface {
	PropertyReader

	// GetForUpdate returns the definition with the given id and locks it for update, or returns
	// NotFound if there is none.
	GetForUpdate(ctx context.Context, id property.ID) (property.Definition, error)

	// NamedForShare returns the definitions for the resource r with the given names, ordered by
	// name. It omits names without a definition. It locks the definitions against deletion and
	// GetForUpdate.
	NamedForShare(ctx context.Context, r property.Resource, names []string) ([]property.State, error)

	// Add inserts a new definition. If another definition for the resource has the same name, Add
	// returns Invalid on the field name, with that definition as the holder.
	Add(ctx context.Context, d property.Definition) error

	// Save updates a definition. It returns NotFound if the definition does not exist. It refuses a
	// name that is taken, like Add.
	Save(ctx context.Context, d property.Definition) error

	// CountValues returns the number of records that have a value of the property d: any value if
	// options is nil, and otherwise one of options.
	CountValues(ctx context.Context, d property.State, options []string) (int64, error)

	// RemoveValues removes the values of the property d from all records and returns the number of
	// changed records. UpdatedAt of the records does not change. The caller must hold the lock of
	// GetForUpdate, so that no record gets a value concurrently.
	RemoveValues(ctx context.Context, d property.State) (int64, error)

	// Delete deletes the definition with the given id, or returns NotFound if there is none.
	Delete(ctx context.Context, id property.ID) error
}
