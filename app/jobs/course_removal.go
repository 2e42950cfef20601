package jobs

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/job"
	"lyceum/domain/text"
	"lyceum/ports"
)

const (
	// CourseRemovalKind is the kind of the jobs that delete the records of a deleted course; the
	// payload is the ID of the course.
	CourseRemovalKind job.Kind = "course_removal"

	// removalBatch is the number of people whose records one transaction deletes. Other writes for
	// these people wait for that transaction, about half a second.
	removalBatch = 250
	// removalLease is twice the maximum duration of an attempt.
	removalLease = 4 * time.Minute
)

// removalRetry retries for more than a day, so that jobs survive shorter outages of the store.
var removalRetry = job.RetryPolicy{MaxAttempts: 60, InitialDelay: time.Second, MaxDelay: 30 * time.Minute}

// CourseRemoval deletes the records of deleted courses.
type CourseRemoval struct {
	deps  usecase.Deps
	queue ports.Queue
}

// NewCourseRemoval returns a CourseRemoval whose jobs are in queue.
func NewCourseRemoval(d usecase.Deps, queue ports.Queue) *CourseRemoval {
	return &CourseRemoval{d, queue}
}

// DeleteNext deletes the records of the course whose job has been due longest. It reports whether
// there was a job, like Handler.RunNext.
func (u *CourseRemoval) DeleteNext(ctx context.Context) (bool, error) {
	return Handler{
		Queue: u.queue, Kind: CourseRemovalKind, Lease: removalLease, Retry: removalRetry,
		Handle: func(ctx context.Context, j job.Job) error {
			id, ok := text.UUID(j.Payload)
			if !ok {
				return nil // the payload is not the ID of a course
			}
			return u.deleteRecords(ctx, usecase.SystemActor(j.School), course.ID{UUID: id})
		},
	}.RunNext(ctx, u.deps)
}

// deleteRecords deletes the records of a course whose removal has begun, a batch per transaction.
func (u *CourseRemoval) deleteRecords(ctx context.Context, a usecase.Actor, id course.ID) error {
	for done := false; !done; {
		err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			removed, err := tx.Courses.ContinueRemoval(ctx, id, removalBatch)
			done = removed.Done
			if err != nil || len(removed.Submissions) == 0 {
				return err
			}
			return EnqueueFileCleanup(ctx, u.deps, tx, removed.Submissions)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
