package ports

import (
	"context"

	"lyceum/domain/assignment"
)

// AssignmentReader reads assignments.
type AssignmentReader interface {
	Lister[assignment.State]

	// Get returns the assignment with the given id, or NotFound if there is none.
	Get(ctx context.Context, id assignment.ID) (assignment.State, error)
}
