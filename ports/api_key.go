package ports

import (
	"context"

	"lyceum/domain/school"
)

// KeyReader reads the API keys of the school, including revoked and expired ones. A school has few,
// so stores may read them all for a page.
type KeyReader interface {
	Lister[school.Key]

	// Get returns the key id, or NotFound if there is none.
	Get(ctx context.Context, id school.KeyID) (school.Key, error)
}

// KeyRepo reads and writes the API keys of the school.
type KeyRepo interface {
	KeyReader

	// GetAllForUpdate returns all keys of the school, oldest first, then by id, and locks them for
	// update.
	GetAllForUpdate(ctx context.Context) ([]school.Key, error)

	// Add inserts a new key. It returns an error if the key belongs to another school, or if a key
	// of any school has the id or the hash.
	Add(ctx context.Context, k school.Key) error

	// Save updates the name, the expiry and the revocation of a key and leaves its other
	// attributes, such as its last use, unchanged. NotFound if there is no such key.
	Save(ctx context.Context, k school.Key) error
}
