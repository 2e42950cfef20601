package ports

import (
	"context"

	"lyceum/domain/person"
	"lyceum/domain/submission"
)

// SubmissionReader reads submissions. The names in them are those of the moment.
type SubmissionReader interface {
	Lister[submission.Summary]

	// Get returns the submission id, NotFound when there is none.
	Get(ctx context.Context, id submission.ID) (submission.Summary, error)
}

// SubmissionRepo reads and writes submissions.
type SubmissionRepo interface {
	SubmissionReader

	// Add keeps a new submission. An assignment, activity, person or course
	// attempt that the school has not is refused with an error.
	Add(ctx context.Context, s submission.Submission) error

	// RemoveOfPerson forgets all submissions of a person and returns their ids,
	// in their order.
	RemoveOfPerson(ctx context.Context, p person.ID) ([]submission.ID, error)
}
