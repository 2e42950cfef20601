package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
)

// lockOnly locks the enrollment of a person in a course, but not the person.
func lockOnly(p person.ID, c course.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{{Person: p, Course: c}}, enrollment.Learner)
	}
}

// learningLocks tests which operations block each other while learner data is recorded. No method
// deletes a single activity, quiz or assignment, so GetManyForShare is not tested for them.
func learningLocks(t *testing.T, b Backend) {
	t.Run("LockManyForUpdate of an enrollment blocks another LockManyForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		find := lockOnly(l.learner.ID, l.course.ID)
		is.NoErr(w.checkBlocks(find, func() error { return w.try(find) }))
	})

	t.Run("LockManyForUpdate of an enrollment blocks its removal", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(lockOnly(l.learner.ID, l.course.ID), func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Enrollments.RemoveFromCourses(ctx, l.learner.ID, enrollment.Learner, []course.ID{l.course.ID}))
			})
		}))
		is.Equal(len(w.enrollmentsOf(l.learner.ID)), 0)
	})

	t.Run("LockManyForUpdate of an enrollment blocks deletion of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(lockOnly(l.learner.ID, l.course.ID), func() error { return w.deletePerson(l.learner.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("Recording learner data blocks deletion of the person, which then deletes the data", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		record := func(ctx context.Context, tx ports.Tx) error { return w.completeActivity(ctx, tx, l.learner.ID, l.text) }
		is.NoErr(w.checkBlocks(record, func() error { return w.deletePerson(l.learner.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("Readers do not block on transactions that record learner data", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		before := w.all()
		var during everything
		w.do(func(ctx context.Context, tx ports.Tx) error {
			err := w.completeActivity(ctx, tx, l.learner.ID, l.text)
			during = w.all()
			return err
		})
		is.Equal(diff(during, before), "")
	})

	t.Run("AttemptsForUpdate blocks on a saved attempt and then returns it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		var account reconcile.AttemptCheck
		record := func(ctx context.Context, tx ports.Tx) error { return w.completeActivity(ctx, tx, l.learner.ID, l.text) }
		saved := func(ctx context.Context, tx ports.Tx) error { // holds the lock for which the reconciler waits
			if err := record(ctx, tx); err != nil {
				return err
			}
			a, err := latestAttempt(ctx, tx, l.learner.ID, l.course.ID)
			if err != nil {
				return err
			}
			return tx.Attempts.Save(ctx, a)
		}
		is.NoErr(w.checkBlocks(saved, func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				found, err := tx.Reconciler.AttemptsForUpdate(ctx, attempt.ID{}, 10)
				if err == nil {
					account = found[0]
				}
				return err
			})
		}))
		is.Equal(account.Tally.Completed, 1)
		is.Equal(account.Reconcile(), nil)
	})

	t.Run("AttemptsForUpdate locks the course attempts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		read := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Reconciler.AttemptsForUpdate(ctx, attempt.ID{}, 10))
		}
		is.NoErr(w.checkBlocks(read, func() error { return w.trySaveAttempt(l.attempt) }))
	})

	t.Run("QuizAttemptsForUpdate blocks on a saved quiz attempt and then returns it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.save(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true))
		var account reconcile.QuizAttemptCheck
		is.NoErr(w.checkBlocks(
			func(ctx context.Context, tx ports.Tx) error {
				return l.answerQuestion(ctx, tx, w.tenant, l.learner.ID, 2, false)
			},
			func() error {
				return w.try(func(ctx context.Context, tx ports.Tx) error {
					found, err := tx.Reconciler.QuizAttemptsForUpdate(ctx, quizattempt.ID{}, 10)
					if err == nil {
						account = found[0]
					}
					return err
				})
			},
		))
		is.Equal(len(account.Attempt.State().Answers), 2)
		is.Equal(account.Reconcile(), nil)
	})

	t.Run("QuizAttemptsForUpdate locks the quiz attempts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		r := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true)
		w.save(r)
		read := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Reconciler.QuizAttemptsForUpdate(ctx, quizattempt.ID{}, 10))
		}
		is.NoErr(w.checkBlocks(read, func() error { return w.trySaveQuizAttempt(r) }))
	})

	if !b.Serial {
		learningConcurrency(t, b)
	}
}

// learningConcurrency tests which operations do not block each other in a store that runs
// transactions of a school concurrently.
func learningConcurrency(t *testing.T, b Backend) {
	t.Run("Two people answering one quiz do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test").Person
		answer := func(p person.ID) func(ctx context.Context, tx ports.Tx) error {
			return func(ctx context.Context, tx ports.Tx) error { return l.answerQuestion(ctx, tx, w.tenant, p, 1, true) }
		}
		is.NoErr(w.concurrently(answer(l.learner.ID), func() error { return w.try(answer(other)) })) // the first answers start the quiz attempts
		is.NoErr(w.concurrently(answer(l.learner.ID), func() error { return w.try(answer(other)) }))
	})

	t.Run("Two people completing an activity do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test").Person
		finish := func(p person.ID) func(ctx context.Context, tx ports.Tx) error {
			return func(ctx context.Context, tx ports.Tx) error { return w.completeActivity(ctx, tx, p, l.text) }
		}
		is.NoErr(w.concurrently(finish(l.learner.ID), func() error { return w.try(finish(other)) }))
	})

	t.Run("Two people submitting files do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		is.NoErr(w.concurrently(
			func(ctx context.Context, tx ports.Tx) error {
				return tx.Submissions.Add(ctx, w.newSubmission(l.attempt, l.assignmentActivity))
			},
			func() error { return w.trySave(w.newSubmission(other, l.assignmentActivity)) },
		))
	})

	t.Run("LockManyForUpdate of two enrollments of a person do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		singing := w.addCourse("Singing").ID
		w.enroll(l.learner.ID, singing, enrollment.Learner)
		is.NoErr(w.concurrently(lockOnly(l.learner.ID, l.course.ID), func() error {
			return w.try(lockOnly(l.learner.ID, singing))
		}))
	})

	t.Run("Enrolling in a course does not block on people learning in it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		p := w.addPerson("grace@example.test").ID
		record := func(ctx context.Context, tx ports.Tx) error { return w.completeActivity(ctx, tx, l.learner.ID, l.text) }
		is.NoErr(w.concurrently(record, func() error { return w.trySave(w.newEnrollment(p, l.course.ID, enrollment.Learner)) }))
	})
}
