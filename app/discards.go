package app

import (
	"context"
	"time"

	"lyceum/domain/job"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// DiscardKind is the kind of the jobs that remove a file; the payload is its name.
const DiscardKind job.Kind = "discard"

// discardLease is how long the removal of one file may take.
const discardLease = time.Minute

// discardRetry gives a file system that is out of order about two days.
var discardRetry = job.Retry{Attempts: 16, First: 30 * time.Second, Longest: 6 * time.Hour}

// fileOf returns the name of the file of a submission.
func fileOf(id submission.ID) string { return "submissions/" + id.String() }

// Discards removes the files of what was deleted.
type Discards struct {
	deps
	queue ports.Queue
	files ports.Files
}

// RemoveNext removes the file that is due longest and tells whether there was
// one. A file that cannot be removed is tried again later. An error says that
// the queue itself failed.
func (u *Discards) RemoveNext(ctx context.Context) (bool, error) {
	return u.next(ctx, trade{
		queue: u.queue, kind: DiscardKind, lease: discardLease, retry: discardRetry,
		do:       func(ctx context.Context, j job.Job) error { return u.files.Remove(ctx, j.Payload) },
		hopeless: refused,
	})
}
