package ports

import (
	"context"

	"lyceum/domain/school"
)

// KeyReader reads the keys that open the school, revoked and expired ones too.
// A school has few, so stores may read them all for a page.
type KeyReader interface {
	Lister[school.Key]

	// Get returns the key id, NotFound when there is none.
	Get(ctx context.Context, id school.KeyID) (school.Key, error)
}

// KeyRepo reads and writes the keys that open the school.
type KeyRepo interface {
	KeyReader

	// All returns every key of the school, oldest first, then by id, and locks
	// them.
	All(ctx context.Context) ([]school.Key, error)

	// Add keeps a new key, which must be the school's own; otherwise, and when an
	// id or a hash is there already, in whichever school, it is refused.
	Add(ctx context.Context, k school.Key) error

	// Save keeps the name, the end and the revocation of a key; the rest, such as
	// its last use, stays as it is kept. NotFound when there is no such key.
	Save(ctx context.Context, k school.Key) error
}
