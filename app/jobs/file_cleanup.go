package jobs

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

const (
	// FileCleanupKind is the kind of the jobs that delete a file, unless a submission refers to it;
	// the payload is the name of the file.
	FileCleanupKind job.Kind = "discard"

	// fileCleanupLease is twice the maximum duration of the deletion of a file.
	fileCleanupLease = time.Minute
)

// fileCleanupRetry retries for about two days, so that jobs survive shorter outages of the file
// system.
var fileCleanupRetry = job.RetryPolicy{MaxAttempts: 16, InitialDelay: 30 * time.Second, MaxDelay: 6 * time.Hour}

// FileCleanup deletes files of deleted submissions and files whose submission was never saved.
type FileCleanup struct {
	deps  usecase.Deps
	queue ports.Queue
	files ports.Files
}

// NewFileCleanup returns a FileCleanup whose jobs are in queue.
func NewFileCleanup(d usecase.Deps, queue ports.Queue, files ports.Files) *FileCleanup {
	return &FileCleanup{d, queue, files}
}

// EnqueueFileCleanup adds jobs to tx that delete the files of deleted submissions.
func EnqueueFileCleanup(ctx context.Context, d usecase.Deps, tx ports.Tx, deleted []submission.ID) error {
	s, err := tx.School.Get(ctx)
	if err != nil {
		return err
	}
	now := d.Clock.Now()
	all := make([]job.Job, len(deleted))
	for i, id := range deleted {
		all[i] = job.New(job.ID{UUID: d.IDs.New()}, s.State().ID, FileCleanupKind, usecase.FileOf(s.State().ID, id), now)
	}
	return tx.Jobs.Add(ctx, all...)
}

// DeleteNext deletes the file whose job has been due longest, unless a submission refers to it. It
// reports whether there was a job, like Handler.RunNext.
func (u *FileCleanup) DeleteNext(ctx context.Context) (bool, error) {
	return Handler{
		Queue: u.queue, Kind: FileCleanupKind, Lease: fileCleanupLease, Retry: fileCleanupRetry,
		Handle:      u.remove,
		IsPermanent: isInvalid,
	}.RunNext(ctx, u.deps)
}

// Sweep deletes the bytes of uploads that a crash has interrupted. There are no further ones.
func (u *FileCleanup) Sweep(ctx context.Context) (more bool, err error) {
	return false, u.files.DeleteIncomplete(ctx)
}

func (u *FileCleanup) remove(ctx context.Context, j job.Job) error {
	id, ofSubmission := strings.CutPrefix(j.Payload, usecase.FilesOf(j.School))
	if of, ok := text.UUID(id); ofSubmission && ok {
		_, err := u.deps.Store.Read(j.School).Submissions.Get(ctx, submission.ID{UUID: of})
		if !fault.Is(err, fault.NotFound) {
			return err // nil: a submission refers to the file
		}
	}
	return u.files.Delete(ctx, j.Payload)
}
