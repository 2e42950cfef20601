package ports

import (
	"context"

	"lyceum/domain/activity"
)

// ActivityReader reads activities.
type ActivityReader interface {
	Lister[activity.State]

	// Get returns the activity id, NotFound when there is none.
	Get(ctx context.Context, id activity.ID) (activity.State, error)
}

// ActivityRepo reads and writes activities.
type ActivityRepo interface {
	ActivityReader

	// Load returns the activities ids, each once, by id; those that the school
	// has not are absent. It locks them against removal.
	Load(ctx context.Context, ids []activity.ID) (map[activity.ID]activity.Activity, error)

	// Add keeps a new activity. A course, quiz or assignment that the school has
	// not is refused with an error.
	Add(ctx context.Context, a activity.Activity) error
}
