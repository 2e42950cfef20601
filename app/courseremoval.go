package app

import (
	"context"
	"time"

	"lyceum/domain/course"
	"lyceum/domain/job"
	"lyceum/domain/text"
	"lyceum/ports"
)

const (
	// RemovalKind is the kind of the jobs that remove the records of a course that is
	// deleted; the payload is its id.
	RemovalKind job.Kind = "course_removal"

	// removalBatch is how many people's records one transaction removes: other
	// writes of these people wait for it, about half a second.
	removalBatch = 250
	// removalLease bounds an attempt of the job, which may take half of it.
	removalLease = 4 * time.Minute
)

// removalRetry gives a store that is unavailable more than a day.
var removalRetry = job.Retry{Attempts: 60, First: time.Second, Longest: 30 * time.Minute}

// Delete removes a course for good, with its activities; the quizzes and
// assignments that they are about stay. One with data of learners is refused.
func (u *Courses) Delete(ctx context.Context, a Actor, id course.ID) error {
	_, err := u.remove(ctx, a, id, course.Contents.CheckDeletion)
	return err
}

// DeleteAll removes a course for good with all that belongs to it, the data of
// learners too, and returns what went with it. No reader finds any of it any longer;
// a job removes the records in short transactions.
func (u *Courses) DeleteAll(ctx context.Context, a Actor, id course.ID) (course.Contents, error) {
	return u.remove(ctx, a, id, func(course.Contents) error { return nil })
}

// remove deletes a course unless check has something against it. It is asked
// before the course is locked, so that a refusal makes no other request wait, and
// again when no other transaction can change the answer.
func (u *Courses) remove(
	ctx context.Context, a Actor, id course.ID, check func(course.Contents) error,
) (gone course.Contents, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Courses.Get(ctx, id); err != nil {
			return err
		}
		before, err := tx.Courses.Contents(ctx, id)
		if err != nil {
			return err
		}
		if err := check(before); err != nil {
			return err
		}
		if err := tx.Courses.LockExclusive(ctx, id); err != nil {
			return err
		}
		if gone, err = tx.Courses.Contents(ctx, id); err != nil {
			return err
		}
		if err := check(gone); err != nil {
			return err
		}
		if err := tx.Courses.BeginRemoval(ctx, id, now); err != nil {
			return err
		}
		rest := job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), RemovalKind, id.String(), now)
		return tx.Jobs.Add(ctx, rest)
	})
	return gone, err
}

// empty removes the records of a course whose removal has begun.
func (u *Courses) empty(ctx context.Context, a Actor, id course.ID) error {
	for done := false; !done; {
		err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			removed, err := tx.Courses.ContinueRemoval(ctx, id, removalBatch)
			done = removed.Done
			if err != nil || len(removed.Submissions) == 0 {
				return err
			}
			return discard(ctx, u.deps, tx, removed.Submissions)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveNext removes the records of the course whose removal is due longest, and
// reports whether there was one. An error says that the queue itself failed.
func (u *Courses) RemoveNext(ctx context.Context) (bool, error) {
	return next(ctx, u.deps, trade{
		queue: u.queue, kind: RemovalKind, lease: removalLease, retry: removalRetry,
		do: func(ctx context.Context, j job.Job) error {
			id, ok := text.UUID(j.Payload)
			if !ok {
				return nil // it names no course
			}
			return u.empty(ctx, System(j.School), course.ID{UUID: id})
		},
	})
}
