package app

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Delete removes a course for good, with its activities; the quizzes and
// assignments that they are about stay. One with data of learners is refused.
func (u *Courses) Delete(ctx context.Context, a Actor, id course.ID) error {
	_, err := u.remove(ctx, a, id, u.inTx, course.Contents.CheckDeletion)
	return err
}

// DeleteAll removes a course for good with all that belongs to it, the data of
// learners too, and returns what went with it.
func (u *Courses) DeleteAll(ctx context.Context, a Actor, id course.ID) (course.Contents, error) {
	return u.remove(ctx, a, id, u.inLongTx, func(course.Contents) error { return nil })
}

// remove deletes a course unless check has something against it. That is asked
// before everybody is locked out, so that a refusal costs nobody anything, and
// once more when nobody can change the answer.
func (u *Courses) remove(
	ctx context.Context, a Actor, id course.ID,
	transact func(context.Context, Actor, func(context.Context, ports.Tx) error) error,
	check func(course.Contents) error,
) (gone course.Contents, err error) {
	err = transact(ctx, a, func(ctx context.Context, tx ports.Tx) error {
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
		if err := tx.Courses.Close(ctx, id); err != nil {
			return err
		}
		if gone, err = tx.Courses.Contents(ctx, id); err != nil {
			return err
		}
		if err := check(gone); err != nil {
			return err
		}
		submitted, err := emptyCourse(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := tx.Courses.Remove(ctx, id); err != nil {
			return err
		}
		return u.discard(ctx, tx, submitted)
	})
	return gone, err
}

// emptyCourse forgets all that belongs to a course, which the caller has closed,
// in the order in which one refers to another, and returns the submissions.
func emptyCourse(ctx context.Context, tx ports.Tx, id course.ID) ([]submission.ID, error) {
	submitted, err := tx.Submissions.RemoveOfCourse(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, forget := range []func(context.Context, course.ID) error{
		tx.Events.RemoveOfCourse,
		tx.QuizAttempts.RemoveOfCourse,
		tx.Enrollments.RemoveOfCourse,
		tx.Attempts.RemoveOfCourse,
		tx.Activities.RemoveOfCourse,
		tx.Groups.DetachCourse,
	} {
		if err := forget(ctx, id); err != nil {
			return nil, err
		}
	}
	return submitted, nil
}
