package app

import (
	"context"

	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/job"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Delete deletes a course with its activities. Its quizzes and assignments remain. If the course
// has learner data, Delete returns a fault with the number of records of each type.
func (u *Courses) Delete(ctx context.Context, a Actor, id course.ID) error {
	_, err := u.remove(ctx, a, id, false)
	return err
}

// DeleteAll deletes a course with everything that belongs to it, including learner data, and
// returns the number of deleted records. When DeleteAll returns, no read shows these records any
// longer. A job deletes them in short transactions.
func (u *Courses) DeleteAll(ctx context.Context, a Actor, id course.ID) (course.Dependents, error) {
	return u.remove(ctx, a, id, true)
}

// remove deletes a course unless a rule refuses it. It checks the rules twice: before it locks the
// course, so that a refused request does not block other requests, and again while the course is
// locked.
func (u *Courses) remove(ctx context.Context, a Actor, id course.ID, force bool) (gone course.Dependents, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		check := func() (effect bool, err error) {
			c, err := tx.Courses.Get(ctx, id)
			if err != nil {
				return false, err
			}
			if gone, err = tx.Courses.CountDependents(ctx, id); err != nil {
				return false, err
			}
			effect, err = policy.Effect(u.deps.Policies.Living.DeleteCourse.Check(policy.DeletingCourse{
				Request: by, Course: c.State, Dependents: gone, Force: force,
			}))
			return effect, usecase.AtData(err)
		}
		if effect, err := check(); !effect {
			return err
		}
		if err := tx.Courses.LockExclusive(ctx, id); err != nil {
			return err
		}
		if effect, err := check(); !effect {
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
