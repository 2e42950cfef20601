package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
)

// ActivityReader reads activities, archived ones among them.
type ActivityReader interface {
	Lister[activity.State]

	// Get returns the activity id, NotFound when there is none.
	Get(ctx context.Context, id activity.ID) (activity.State, error)
}

// ActivityRepo reads and writes activities.
type ActivityRepo interface {
	ActivityReader

	// Load returns the activities ids, each once, by id; those that the school
	// has not are absent. It locks them against removal, and the structures of
	// their courses against change.
	Load(ctx context.Context, ids []activity.ID) (map[activity.ID]activity.Activity, error)

	// OfAssignment returns the activities in which an assignment stands, in the
	// order of their ids; none when there is no such assignment.
	OfAssignment(ctx context.Context, id assignment.ID) ([]activity.ID, error)

	// Add keeps a new activity. A course, quiz or assignment that the school has
	// not, or a key that the course has already, is refused with an error.
	Add(ctx context.Context, a activity.Activity) error
}
