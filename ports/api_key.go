package ports

import (
	"context"

	"lyceum/domain/school"
)

// KeyReader reads the API keys of the school, including revoked and expired ones. A school has few
// keys, so a store may read all of them to return a page.
type KeyReader interface {
	Lister[school.Key]

	// Get returns the key with the given id, or NotFound if there is none.
	Get(ctx context.Context, id school.KeyID) (school.Key, error)
}

// KeyRepo reads and writes the API keys of the school.
type KeyRepo interface {
	KeyReader

	// GetAllForUpdate returns all keys of the school, oldest first, then by id, and locks them for
	// update.
	GetAllForUpdate(ctx context.Context) ([]school.Key, error)

	// GetForShare is like Get, and locks the key for share: GetAllForUpdate of another transaction
	// waits, GetForShare need not wait.
	GetForShare(ctx context.Context, id school.KeyID) (school.Key, error)

	// Add inserts a new key. It returns an error if the key belongs to another school, or if a key
	// of any school already has its id or its hash.
	Add(ctx context.Context, k school.Key) error

	// Save updates the name, the expiry and the revocation of a key and leaves its other
	// attributes, such as its last use, unchanged. It returns NotFound if the key does not exist.
	Save(ctx context.Context, k school.Key) error
}
