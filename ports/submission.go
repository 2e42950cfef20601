package ports

import (
	"context"

	"lyceum/domain/person"
	"lyceum/domain/submission"
)

// SubmissionReader reads submissions. The names in them are read from the current records.
type SubmissionReader interface {
	Lister[submission.Summary]

	// Get returns the submission with the given id, or NotFound if there is none.
	Get(ctx context.Context, id submission.ID) (submission.Summary, error)
}

// SubmissionRepo reads and writes submissions.
type SubmissionRepo interface {
	SubmissionReader

	// Add inserts a new submission. It returns an error if the assignment, activity, person or
	// course attempt does not exist.
	Add(ctx context.Context, s submission.Submission) error

	// DeleteByPerson deletes at most limit submissions of a person and returns their ids, in
	// ascending order.
	DeleteByPerson(ctx context.Context, p person.ID, limit int) ([]submission.ID, error)
}
