package app

import (
	"context"

	"lyceum/app/jobs"
	"lyceum/domain/course"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Delete deletes a course with its activities. Its quizzes and assignments remain. A course with
// learner data is not deleted; the fault has the number of records.
func (u *Courses) Delete(ctx context.Context, a Actor, id course.ID) error {
	_, err := u.remove(ctx, a, id, course.Dependents.CheckDeletion)
	return err
}

// DeleteAll deletes a course with everything that belongs to it, including learner data, and
// returns the number of deleted records. Reads no longer contain them as soon as DeleteAll returns;
// a job deletes them in short transactions.
func (u *Courses) DeleteAll(ctx context.Context, a Actor, id course.ID) (course.Dependents, error) {
	return u.remove(ctx, a, id, func(course.Dependents) error { return nil })
}

// remove deletes a course unless check returns an error. It calls check before it locks the course,
// so that a refused deletion blocks no other request, and again under the lock.
func (u *Courses) remove(
	ctx context.Context, a Actor, id course.ID, check func(course.Dependents) error,
) (gone course.Dependents, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Courses.Get(ctx, id); err != nil {
			return err
		}
		before, err := tx.Courses.CountDependents(ctx, id)
		if err != nil {
			return err
		}
		if err := check(before); err != nil {
			return err
		}
		if err := tx.Courses.LockExclusive(ctx, id); err != nil {
			return err
		}
		if gone, err = tx.Courses.CountDependents(ctx, id); err != nil {
			return err
		}
		if err := check(gone); err != nil {
			return err
		}
		if err := tx.Courses.BeginRemoval(ctx, id, now); err != nil {
			return err
		}
		rest := job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), jobs.CourseRemovalKind, id.String(), now)
		return tx.Jobs.Add(ctx, rest)
	})
	return gone, err
}
