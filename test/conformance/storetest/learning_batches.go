package storetest

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
)

// lockEnrollments returns a function that locks the enrollments of the pairs as learner for update.
func lockEnrollments(pairs ...enrollment.PersonCourse) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return second(tx.Enrollments.GetManyForUpdate(ctx, pairs, enrollment.Learner))
	}
}

// learningBatches tests the methods that act on many people in many courses, and the methods
// GetCompletion and ByAssignment.
func learningBatches(t *testing.T, b Backend) {
	t.Run("GetManyForUpdate returns the enrollments by pair and omits pairs without one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		one, two := w.enrollmentsOf(l.learner.ID)[0], w.enrollmentsOf(other.learner.ID)[0]
		manager := w.enroll(l.learner.ID, other.course.ID, enrollment.Manager)
		ask := []enrollment.PersonCourse{
			two.PersonCourse(), one.PersonCourse(), manager.PersonCourse(), one.PersonCourse(), {Person: one.Person}, {Course: one.Course}, {Person: other.learner.ID, Course: one.Course},
		}
		for role, want := range map[enrollment.Role]map[enrollment.PersonCourse]enrollment.Enrollment{
			enrollment.Learner: {one.PersonCourse(): one, two.PersonCourse(): two},
			enrollment.Manager: {manager.PersonCourse(): manager},
		} {
			got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (map[enrollment.PersonCourse]enrollment.Enrollment, error) {
				return tx.Enrollments.GetManyForUpdate(ctx, ask, role)
			})
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("GetManyForUpdate blocks removal and LockManyForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.NoErr(w.checkBlocks(lockEnrollments(l.personCourse()), func() error { return w.try(lockOnly(l.learner.ID, l.course.ID)) }))
		is.NoErr(w.checkBlocks(lockEnrollments(l.personCourse()), func() error { return w.deletePerson(l.learner.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("GetManyForUpdate also blocks deletion of people without an enrollment", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		p := w.addPerson("grace@example.test").ID
		is.NoErr(w.checkBlocks(lockEnrollments(enrollment.PersonCourse{Person: p, Course: l.course.ID}), func() error { return w.deletePerson(p) }))
	})

	t.Run("LockManyForUpdate blocks removal of the enrollments and another LockManyForUpdate, but locks no person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		lock := func(ctx context.Context, tx ports.Tx) error {
			return tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{l.personCourse(), {Person: l.learner.ID}}, enrollment.Learner)
		}
		is.NoErr(w.checkBlocks(lock, func() error { return w.try(lockOnly(l.learner.ID, l.course.ID)) }))
		is.NoErr(w.checkBlocks(lock, func() error { return w.deletePerson(l.learner.ID) }))
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		other := newCourseFixture(w.tenant, "two")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Enrollments.LockManyForUpdate(ctx, []enrollment.PersonCourse{other.personCourse()}, enrollment.Learner); err != nil {
				return err
			}
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.People.GetForUpdate(ctx, other.learner.ID)
				return err
			})
		})
	})

	t.Run("Concurrent GetManyForUpdate calls with the pairs in different orders do not deadlock", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		var all []enrollment.PersonCourse
		for i := range 8 {
			p := w.addPerson(fmt.Sprintf("p%d@example.test", i)).ID
			w.enroll(p, l.course.ID, enrollment.Learner)
			all = append(all, enrollment.PersonCourse{Person: p, Course: l.course.ID})
		}
		for _, err := range atOnce(func(i int) error {
			mine := slices.Concat(all[i%8:], all[:i%8])
			if i%2 == 0 {
				slices.Reverse(mine)
			}
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				if err := lockEnrollments(mine...)(ctx, tx); err != nil {
					return err
				}
				begun, err := tx.Attempts.LatestMany(ctx, mine)
				if err != nil || len(begun) > 0 {
					return err
				}
				var first []attempt.Attempt
				for _, pair := range mine {
					first = append(first, attempt.Restore(w.newAttempt(pair.Person, pair.Course, 1)))
				}
				return tx.Attempts.AddMany(ctx, first)
			})
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.mustReconcile()), 0)
	})

	t.Run("LatestMany returns the attempts with the highest numbers by pair and omits pairs without one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		tenth := w.newAttempt(l.learner.ID, l.course.ID, 10)
		w.save(tenth, w.newAttempt(l.learner.ID, l.course.ID, 9))
		pairs := []enrollment.PersonCourse{
			other.personCourse(), l.personCourse(), l.personCourse(), {Person: l.learner.ID, Course: other.course.ID},
		}
		want := map[enrollment.PersonCourse]attempt.Attempt{
			l.personCourse(): attempt.Restore(tenth), other.personCourse(): attempt.Restore(other.attempt),
		}
		got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (map[enrollment.PersonCourse]attempt.Attempt, error) {
			return tx.Attempts.LatestMany(ctx, pairs)
		})
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		got, err = w.read().CourseAnalytics.LatestMany(t.Context(), pairs)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
	})

	t.Run("AddMany inserts all attempts or none", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, at := newCourseFixture(w.tenant, "one"), w.nextTime()
		other := w.addPerson("grace@example.test").ID
		two, one := w.newAttempt(l.learner.ID, l.course.ID, 2), w.newAttempt(other, l.course.ID, 1)
		two.Progress, two.LastCompletedAt = 3333, &at
		add := func(all ...attempt.State) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				var attempts []attempt.Attempt
				for _, a := range all {
					attempts = append(attempts, attempt.Restore(a))
				}
				return tx.Attempts.AddMany(ctx, attempts)
			})
		}
		is.NoErr(add())
		is.True(add(two, one, l.attempt) != nil)
		w.enroll(other, l.course.ID, enrollment.Learner)
		_, err := w.latest(other, l.course.ID)
		is.True(isNotFound(err))
		is.NoErr(add(two, one))
		for _, want := range []attempt.State{two, one} {
			got, err := w.latest(want.Person, want.Course)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("GetCompletion returns the completion of an activity in an attempt, NotFound if not completed", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		at := w.nextTime()
		w.complete(l.attempt.ID, l.text.ID, at)
		find := func(in attempt.ID, a activity.ID) (attempt.Completion, error) {
			return inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (attempt.Completion, error) {
				return tx.Attempts.GetCompletion(ctx, in, a)
			})
		}
		got, err := find(l.attempt.ID, l.text.ID)
		is.NoErr(err)
		is.Equal(diff(got, attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: at}), "")
		for _, err := range []error{
			second(find(l.attempt.ID, l.video.ID)), second(find(w.newAttempt(l.learner.ID, l.course.ID, 2).ID, l.text.ID)),
		} {
			is.True(isNotFound(err))
		}
	})

	t.Run("ByAssignment returns the activities that use the assignment, by id; none for an unknown assignment", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		again := w.addActivity(other.course.ID, "Again", activity.AssignmentContent(l.assignment.ID))
		want := []activity.ID{l.assignmentActivity.ID, again.ID}
		slices.SortFunc(want, func(a, b activity.ID) int { return slices.Compare(a.UUID[:], b.UUID[:]) })
		is.Equal(w.activitiesWithAssignment(l), want)
		l.assignment = w.newAssignment("None")
		is.Equal(len(w.activitiesWithAssignment(l)), 0)
	})
}

// activitiesWithAssignment returns the ids of the activities that use the fixture's assignment.
func (s tenant) activitiesWithAssignment(l courseFixture) []activity.ID {
	s.t.Helper()
	found, err := inTx(s, func(ctx context.Context, tx ports.Tx) ([]activity.ID, error) {
		return tx.Activities.ByAssignment(ctx, l.assignment.ID)
	})
	s.must(err)
	return found
}
