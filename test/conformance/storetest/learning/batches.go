package learning

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// lockEnrollments returns a function that locks the enrollments of the pairs as learner for update.
func lockEnrollments(pairs ...enrollment.PersonCourse) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return fixture.Second(tx.Enrollments.GetManyForUpdate(ctx, pairs, enrollment.Learner))
	}
}

// Batches tests the methods that act on many people in many courses, and the methods
// GetCompletion and ByAssignment.
func Batches(t *testing.T, b fixture.Backend) {
	t.Run("GetManyForUpdate returns the enrollments by pair and omits pairs without one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		one, two := w.EnrollmentsOf(l.Learner.ID)[0], w.EnrollmentsOf(other.Learner.ID)[0]
		manager := w.Enroll(l.Learner.ID, other.Course.ID, enrollment.Manager)
		ask := []enrollment.PersonCourse{
			two.PersonCourse(), one.PersonCourse(), manager.PersonCourse(), one.PersonCourse(), {Person: one.Person}, {Course: one.Course}, {Person: other.Learner.ID, Course: one.Course},
		}
		for role, want := range map[enrollment.Role]map[enrollment.PersonCourse]enrollment.Enrollment{
			enrollment.Learner: {one.PersonCourse(): one, two.PersonCourse(): two},
			enrollment.Manager: {manager.PersonCourse(): manager},
		} {
			got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (map[enrollment.PersonCourse]enrollment.Enrollment, error) {
				return tx.Enrollments.GetManyForUpdate(ctx, ask, role)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("GetManyForUpdate blocks removal and LockManyForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.NoErr(w.CheckBlocks(lockEnrollments(l.PersonCourse()), func() error { return w.Try(lockOnly(l.Learner.ID, l.Course.ID)) }))
		is.NoErr(w.CheckBlocks(lockEnrollments(l.PersonCourse()), func() error { return w.DeletePerson(l.Learner.ID) }))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("GetManyForUpdate also blocks deletion of people without an enrollment", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		p := w.AddPerson("grace@example.test").ID
		is.NoErr(w.CheckBlocks(lockEnrollments(enrollment.PersonCourse{Person: p, Course: l.Course.ID}), func() error { return w.DeletePerson(p) }))
	})

	t.Run("LockManyForUpdate blocks removal of the enrollments and another LockManyForUpdate, but locks no person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		lock := func(ctx context.Context, tx ports.Tx) error {
			return tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{l.PersonCourse(), {Person: l.Learner.ID}}, enrollment.Learner)
		}
		is.NoErr(w.CheckBlocks(lock, func() error { return w.Try(lockOnly(l.Learner.ID, l.Course.ID)) }))
		is.NoErr(w.CheckBlocks(lock, func() error { return w.DeletePerson(l.Learner.ID) }))
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		other := fixture.NewCourseFixture(w.Tenant, "two")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{other.PersonCourse()}, enrollment.Learner); err != nil {
				return err
			}
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.People.GetForUpdate(ctx, other.Learner.ID)
				return err
			})
		})
	})

	t.Run("Concurrent GetManyForUpdate calls with the pairs in different orders do not deadlock", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var all []enrollment.PersonCourse
		for i := range 8 {
			p := w.AddPerson(fmt.Sprintf("p%d@example.test", i)).ID
			w.Enroll(p, l.Course.ID, enrollment.Learner)
			all = append(all, enrollment.PersonCourse{Person: p, Course: l.Course.ID})
		}
		for _, err := range fixture.AtOnce(func(i int) error {
			mine := slices.Concat(all[i%8:], all[:i%8])
			if i%2 == 0 {
				slices.Reverse(mine)
			}
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				if err := lockEnrollments(mine...)(ctx, tx); err != nil {
					return err
				}
				begun, err := tx.Attempts.LatestMany(ctx, mine)
				if err != nil || len(begun) > 0 {
					return err
				}
				var first []attempt.Attempt
				for _, pair := range mine {
					first = append(first, attempt.Restore(w.NewAttempt(pair.Person, pair.Course, 1)))
				}
				return tx.Attempts.AddMany(ctx, first)
			})
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.MustReconcile()), 0)
	})

	t.Run("LatestMany returns the attempts with the highest numbers by pair and omits pairs without one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		tenth := w.NewAttempt(l.Learner.ID, l.Course.ID, 10)
		w.Save(tenth, w.NewAttempt(l.Learner.ID, l.Course.ID, 9))
		pairs := []enrollment.PersonCourse{
			other.PersonCourse(), l.PersonCourse(), l.PersonCourse(), {Person: l.Learner.ID, Course: other.Course.ID},
		}
		want := map[enrollment.PersonCourse]attempt.Attempt{
			l.PersonCourse(): attempt.Restore(tenth), other.PersonCourse(): attempt.Restore(other.Attempt),
		}
		got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (map[enrollment.PersonCourse]attempt.Attempt, error) {
			return tx.Attempts.LatestMany(ctx, pairs)
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		got, err = w.Read().CourseAnalytics.LatestMany(t.Context(), pairs)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("AddMany inserts all attempts or none", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, at := fixture.NewCourseFixture(w.Tenant, "one"), w.NextTime()
		other := w.AddPerson("grace@example.test").ID
		two, one := w.NewAttempt(l.Learner.ID, l.Course.ID, 2), w.NewAttempt(other, l.Course.ID, 1)
		two.Progress, two.LastCompletedAt = 3333, &at
		add := func(all ...attempt.State) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				var attempts []attempt.Attempt
				for _, a := range all {
					attempts = append(attempts, attempt.Restore(a))
				}
				return tx.Attempts.AddMany(ctx, attempts)
			})
		}
		is.NoErr(add())
		is.True(add(two, one, l.Attempt) != nil)
		w.Enroll(other, l.Course.ID, enrollment.Learner)
		_, err := w.Latest(other, l.Course.ID)
		is.True(fixture.IsNotFound(err))
		is.NoErr(add(two, one))
		for _, want := range []attempt.State{two, one} {
			got, err := w.Latest(want.Person, want.Course)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("GetCompletion returns the completion of an activity in an attempt, NotFound if not completed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		at := w.NextTime()
		w.Complete(l.Attempt.ID, l.Text.ID, at)
		find := func(in attempt.ID, a activity.ID) (attempt.Completion, error) {
			return fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (attempt.Completion, error) {
				return tx.Attempts.GetCompletion(ctx, in, a)
			})
		}
		got, err := find(l.Attempt.ID, l.Text.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: at}), "")
		for _, err := range []error{
			fixture.Second(find(l.Attempt.ID, l.Video.ID)), fixture.Second(find(w.NewAttempt(l.Learner.ID, l.Course.ID, 2).ID, l.Text.ID)),
		} {
			is.True(fixture.IsNotFound(err))
		}
	})

	t.Run("ByAssignment returns the activities that use the assignment, by id; none for an unknown assignment", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		again := w.AddActivity(other.Course.ID, "Again", activity.AssignmentContent(l.Assignment.ID))
		want := []activity.ID{l.AssignmentActivity.ID, again.ID}
		slices.SortFunc(want, func(a, b activity.ID) int { return slices.Compare(a.UUID[:], b.UUID[:]) })
		is.Equal(activitiesWithAssignment(w.Tenant, l), want)
		l.Assignment = w.NewAssignment("None")
		is.Equal(len(activitiesWithAssignment(w.Tenant, l)), 0)
	})
}

// activitiesWithAssignment returns the ids of the activities that use the fixture's assignment.
func activitiesWithAssignment(s fixture.Tenant, l fixture.CourseFixture) []activity.ID {
	s.T.Helper()
	found, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) ([]activity.ID, error) {
		return tx.Activities.ByAssignment(ctx, l.Assignment.ID)
	})
	s.Must(err)
	return found
}
