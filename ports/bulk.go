package ports

import (
	"context"

	"lyceum/domain/bulk"
)

// BulkReader reads bulk jobs.
type BulkReader interface {
	// Get returns the bulk job with the given id with the outcomes of its finished parts
	// (bulk.Job.With), or NotFound if there is no such job.
	Get(ctx context.Context, id bulk.ID) (bulk.Job, error)
}

// BulkRepo reads and writes bulk jobs and their parts.
type BulkRepo interface {
	BulkReader

	// Add inserts a new bulk job without processed rows, and its parts. The job keeps the IDs of its
	// actor when the key or the person is deleted.
	Add(ctx context.Context, j bulk.Job, parts []bulk.Part) error

	// GetPartForUpdate returns the part with the given id, with the kind and the actor of its job,
	// and locks it for update. It returns NotFound if the part does not exist or is finished.
	GetPartForUpdate(ctx context.Context, id bulk.PartID) (bulk.Part, error)

	// GetPartNumbersForUpdate is like GetPartForUpdate, but for a part whose rows cannot be
	// decoded: it returns the part without its kind and actor, and with rows that have only their
	// numbers.
	GetPartNumbersForUpdate(ctx context.Context, id bulk.PartID) (bulk.Part, error)

	// WaitingForUpdate returns the unfinished parts that are about the person with the given unique
	// key of the email address (bulk.Part.About), by id, and locks them for update. It waits for
	// transactions that are applying or splitting such a part, and also returns the parts that they
	// split off.
	WaitingForUpdate(ctx context.Context, key string) ([]bulk.Part, error)

	// SaveRows replaces the rows of the part p.ID with p.Rows, which have the same numbers. It
	// returns NotFound if the part does not exist or is finished.
	SaveRows(ctx context.Context, p bulk.Part) error

	// SplitPart replaces the rows of the part p.ID with p.Rows and inserts the part rest of the
	// same job. In Get, the rows of rest follow the rows of p. SplitPart returns NotFound if the
	// part p.ID does not exist or is finished.
	SplitPart(ctx context.Context, p, rest bulk.Part) error

	// FinishPart replaces the rows of a part with their outcome. It returns NotFound if the part
	// does not exist or is already finished. Calls for different parts of a job do not wait for
	// each other.
	FinishPart(ctx context.Context, id bulk.PartID, o bulk.Outcome) error
}
