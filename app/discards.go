package app

import (
	"context"
	"strings"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/submission"
	"lyceum/domain/text"
	"lyceum/ports"
)

// DiscardKind is usecase.DiscardKind.
const DiscardKind = usecase.DiscardKind

// discardLease is how long the removal of one file may take.
const discardLease = time.Minute

// discardRetry gives a file system that is out of order about two days.
var discardRetry = job.Retry{Attempts: 16, First: 30 * time.Second, Longest: 6 * time.Hour}

// Discards removes the files of what was deleted, and of what never came to be.
type Discards struct {
	deps  usecase.Deps
	queue ports.Queue
	files ports.Files
}

// RemoveNext removes the file that is due longest, unless a submission has it, and
// tells whether there was one. A file that cannot be removed is tried again later. An error says that
// the queue itself failed.
func (u *Discards) RemoveNext(ctx context.Context) (bool, error) {
	return next(ctx, u.deps, trade{
		queue: u.queue, kind: DiscardKind, lease: discardLease, retry: discardRetry,
		do:       u.remove,
		hopeless: refused,
	})
}

func (u *Discards) remove(ctx context.Context, j job.Job) error {
	id, ofSubmission := strings.CutPrefix(j.Payload, usecase.SubmissionFiles)
	if of, ok := text.UUID(id); ofSubmission && ok {
		_, err := u.deps.Store.Read(j.School).Submissions.Get(ctx, submission.ID{UUID: of})
		if !fault.Is(err, fault.NotFound) {
			return err // nil: the file is needed
		}
	}
	return u.files.Remove(ctx, j.Payload)
}
