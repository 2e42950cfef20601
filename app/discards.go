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

// DiscardKind is the kind of the jobs that remove a file which nobody needs any
// more; the payload is its name.
const DiscardKind job.Kind = "discard"

// discardLease is how long the removal of one file may take.
const discardLease = time.Minute

// discardRetry gives a file system that is out of order about two days.
var discardRetry = job.Retry{Attempts: 16, First: 30 * time.Second, Longest: 6 * time.Hour}

// orphanAge is how long after its bytes were kept a file is looked at again. No
// submission takes so long to be kept.
const orphanAge = 24 * time.Hour

const submissionFiles = "submissions/"

// fileOf returns the name of the file of a submission.
func fileOf(id submission.ID) string { return submissionFiles + id.String() }

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
	id, ofSubmission := strings.CutPrefix(j.Payload, submissionFiles)
	if of, ok := text.UUID(id); ofSubmission && ok {
		_, err := u.deps.Store.Read(j.School).Submissions.Get(ctx, submission.ID{UUID: of})
		if !fault.Is(err, fault.NotFound) {
			return err // nil: the file is needed
		}
	}
	return u.files.Remove(ctx, j.Payload)
}

// watch has the file of a submission that is about to be handed in looked at when
// it is certain what has become of it: a server that dies between keeping the
// bytes and keeping the submission leaves a file of which nobody knows.
func (u *Learning) watch(ctx context.Context, a Actor, id submission.ID) error {
	now := u.deps.Clock.Now()
	look := job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), DiscardKind, fileOf(id), now)
	look.RunAt = now.Add(orphanAge)
	return u.deps.InTx(ctx, System(a.School()), func(ctx context.Context, tx ports.Tx) error { // a dry run stores bytes too
		return tx.Jobs.Add(ctx, look)
	})
}
