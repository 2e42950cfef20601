package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
)

// ActivityReader reads activities, including archived ones. List returns them without their texts.
type ActivityReader interface {
	Lister[activity.State]

	// Get returns the activity with the given id and its text, or NotFound if there is none.
	Get(ctx context.Context, id activity.ID) (activity.State, error)
}

// ActivityRepo reads and locks activities. StructureRepo writes them.
type ActivityRepo interface {
	ActivityReader

	// GetManyForShare returns the activities with the given ids, without their texts, as a map by
	// id that omits ids that do not exist. It locks the activities against deletion, and the
	// structures of their courses against change.
	GetManyForShare(ctx context.Context, ids []activity.ID) (map[activity.ID]activity.Activity, error)

	// ByAssignment returns the ids of the activities that use the assignment, in ascending order.
	// The result is empty if the assignment does not exist.
	ByAssignment(ctx context.Context, id assignment.ID) ([]activity.ID, error)
}
