package learning

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
	"lyceum/test/conformance/storetest/fixture"
)

// lockOnly locks the enrollment of a person in a course, but not the person.
func lockOnly(p person.ID, c course.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{{Person: p, Course: c}}, enrollment.Learner)
	}
}

// Locks tests which operations block each other while learner data is recorded. No method
// deletes a single activity, quiz or assignment, so GetManyForShare is not tested for them.
func Locks(t *testing.T, b fixture.Backend) {
	t.Run("LockManyForUpdate of an enrollment blocks another LockManyForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		find := lockOnly(l.Learner.ID, l.Course.ID)
		is.NoErr(w.CheckBlocks(find, func() error { return w.Try(find) }))
	})

	t.Run("LockManyForUpdate of an enrollment blocks its removal", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(lockOnly(l.Learner.ID, l.Course.ID), func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Enrollments.RemoveFromCourses(ctx, l.Learner.ID, enrollment.Learner, []course.ID{l.Course.ID}))
			})
		}))
		is.Equal(len(w.EnrollmentsOf(l.Learner.ID)), 0)
	})

	t.Run("LockManyForUpdate of an enrollment blocks deletion of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(lockOnly(l.Learner.ID, l.Course.ID), func() error { return w.DeletePerson(l.Learner.ID) }))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("Recording learner data blocks deletion of the person, which then deletes the data", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		record := func(ctx context.Context, tx ports.Tx) error { return w.CompleteActivity(ctx, tx, l.Learner.ID, l.Text) }
		is.NoErr(w.CheckBlocks(record, func() error { return w.DeletePerson(l.Learner.ID) }))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("Readers do not block on transactions that record learner data", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		before := w.All()
		var during fixture.Everything
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			err := w.CompleteActivity(ctx, tx, l.Learner.ID, l.Text)
			during = w.All()
			return err
		})
		is.Equal(fixture.Diff(during, before), "")
	})

	t.Run("AttemptsForUpdate blocks on a saved attempt and then returns it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var account reconcile.AttemptCheck
		record := func(ctx context.Context, tx ports.Tx) error { return w.CompleteActivity(ctx, tx, l.Learner.ID, l.Text) }
		saved := func(ctx context.Context, tx ports.Tx) error { // holds the lock for which the reconciler waits
			if err := record(ctx, tx); err != nil {
				return err
			}
			a, err := fixture.LatestAttempt(ctx, tx, l.Learner.ID, l.Course.ID)
			if err != nil {
				return err
			}
			return tx.Attempts.Save(ctx, a)
		}
		is.NoErr(w.CheckBlocks(saved, func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		read := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Reconciler.AttemptsForUpdate(ctx, attempt.ID{}, 10))
		}
		is.NoErr(w.CheckBlocks(read, func() error { return w.TrySaveAttempt(l.Attempt) }))
	})

	t.Run("QuizAttemptsForUpdate blocks on a saved quiz attempt and then returns it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.Save(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true))
		var account reconcile.QuizAttemptCheck
		is.NoErr(w.CheckBlocks(
			func(ctx context.Context, tx ports.Tx) error {
				return l.AnswerQuestion(ctx, tx, w.Tenant, l.Learner.ID, 2, false)
			},
			func() error {
				return w.Try(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		r := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true)
		w.Save(r)
		read := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Reconciler.QuizAttemptsForUpdate(ctx, quizattempt.ID{}, 10))
		}
		is.NoErr(w.CheckBlocks(read, func() error { return w.TrySaveQuizAttempt(r) }))
	})

	if !b.Serial {
		learningConcurrency(t, b)
	}
}

// learningConcurrency tests which operations do not block each other in a store that runs
// transactions of a school concurrently.
func learningConcurrency(t *testing.T, b fixture.Backend) {
	t.Run("Two people answering one quiz do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test").Person
		answer := func(p person.ID) func(ctx context.Context, tx ports.Tx) error {
			return func(ctx context.Context, tx ports.Tx) error { return l.AnswerQuestion(ctx, tx, w.Tenant, p, 1, true) }
		}
		is.NoErr(w.Concurrently(answer(l.Learner.ID), func() error { return w.Try(answer(other)) })) // the first answers start the quiz attempts
		is.NoErr(w.Concurrently(answer(l.Learner.ID), func() error { return w.Try(answer(other)) }))
	})

	t.Run("Two people completing an activity do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test").Person
		finish := func(p person.ID) func(ctx context.Context, tx ports.Tx) error {
			return func(ctx context.Context, tx ports.Tx) error { return w.CompleteActivity(ctx, tx, p, l.Text) }
		}
		is.NoErr(w.Concurrently(finish(l.Learner.ID), func() error { return w.Try(finish(other)) }))
	})

	t.Run("Two people submitting files do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		is.NoErr(w.Concurrently(
			func(ctx context.Context, tx ports.Tx) error {
				return tx.Submissions.Add(ctx, w.NewSubmission(l.Attempt, l.AssignmentActivity))
			},
			func() error { return w.TrySave(w.NewSubmission(other, l.AssignmentActivity)) },
		))
	})

	t.Run("LockManyForUpdate of two enrollments of a person do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		singing := w.AddCourse("Singing").ID
		w.Enroll(l.Learner.ID, singing, enrollment.Learner)
		is.NoErr(w.Concurrently(lockOnly(l.Learner.ID, l.Course.ID), func() error {
			return w.Try(lockOnly(l.Learner.ID, singing))
		}))
	})

	t.Run("Enrolling in a course does not block on people learning in it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		p := w.AddPerson("grace@example.test").ID
		record := func(ctx context.Context, tx ports.Tx) error { return w.CompleteActivity(ctx, tx, l.Learner.ID, l.Text) }
		is.NoErr(w.Concurrently(record, func() error { return w.TrySave(w.NewEnrollment(p, l.Course.ID, enrollment.Learner)) }))
	})
}
