package ports

import (
	"context"

	"lyceum/domain/bulk"
)

// BulkReader reads bulk jobs.
type BulkReader interface {
	// Get returns the bulk job id with what has come of those of its parts that
	// are finished (bulk.Job's With), NotFound when there is no such job.
	Get(ctx context.Context, id bulk.ID) (bulk.Job, error)
}

// BulkRepo reads and writes bulk jobs and their parts.
type BulkRepo interface {
	BulkReader

	// Add keeps a new bulk job, of which nothing was dealt with, and its parts.
	Add(ctx context.Context, j bulk.Job, parts []bulk.Part) error

	// FindPart returns the part id and locks it, NotFound when there is none or
	// it is finished.
	FindPart(ctx context.Context, id bulk.PartID) (bulk.Part, error)

	// FindNumbers is FindPart for a part whose rows cannot be read: what they say is
	// not looked at, the part has no kind and its rows have only their numbers.
	FindNumbers(ctx context.Context, id bulk.PartID) (bulk.Part, error)

	// FinishPart keeps what came of the part id in the place of its rows, NotFound
	// when there is no such part or it is finished already. The parts of one job
	// do not wait for each other.
	FinishPart(ctx context.Context, id bulk.PartID, o bulk.Outcome) error
}
