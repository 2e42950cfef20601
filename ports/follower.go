package ports

import (
	"context"

	"lyceum/domain/change"
)

// FollowerRepo writes the positions of the followers of the school's change feed.
type FollowerRepo interface {
	// Add inserts a follower, or replaces the follower with the same name.
	Add(ctx context.Context, f change.Follower) error

	// AddIfAbsent inserts a follower if there is none with its name.
	AddIfAbsent(ctx context.Context, f change.Follower) error

	// Extend sets the Until of the followers with the given names, and returns the names of those
	// that exist, in no particular order.
	Extend(ctx context.Context, names []string, until int64) ([]string, error)

	// Move moves a follower to a position and locks it for update. If the follower no longer has
	// the Position and the Until of f, Move changes nothing and returns false.
	Move(ctx context.Context, f change.Follower, to int64) (bool, error)

	// Delete deletes the follower with the given name, if there is one.
	Delete(ctx context.Context, name string) error
}
