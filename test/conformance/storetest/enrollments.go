package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// enrollments tests ports.EnrollmentReader and ports.EnrollmentRepo. counts.go tests the counts
// that are derived from enrollments.
func enrollments(t *testing.T, b Backend) {
	t.Run("Get returns the enrollment, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		learns, manages := w.enroll(ada, drawing, enrollment.Learner), w.enroll(ada, drawing, enrollment.Manager)
		mustGet := func(want enrollment.Summary) {
			got, err := w.read().Enrollments.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
			got, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (enrollment.Summary, error) {
				return tx.Enrollments.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		want := withoutAttempt(learns)
		mustGet(want)
		mustGet(withoutAttempt(manages))

		second := w.newAttempt(ada, drawing, 2)
		second.Progress = 3333
		w.save(second)
		first := w.newAttempt(ada, drawing, 1)
		first.Progress = 10000
		w.save(first) // saved later, but with a lower number
		*want.Progress = 3333
		mustGet(want)
		mustGet(withoutAttempt(manages)) // a manager has no attempt
		second.Progress = 6667
		is.NoErr(w.trySaveAttempt(second))
		*want.Progress = 6667
		mustGet(want)
		_, err := w.read().Enrollments.Get(w.ctx(), w.newEnrollment(ada, drawing, enrollment.Learner).ID)
		is.True(isNotFound(err))

		is.Equal(w.unenroll(ada, enrollment.Learner, drawing), 1)
		_, err = w.read().Enrollments.Get(w.ctx(), want.ID)
		is.True(isNotFound(err))
		want.Enrollment = w.enroll(ada, drawing, enrollment.Learner) // the earlier attempts belong to the new enrollment
		mustGet(want)
	})

	t.Run("GetManyForUpdate returns the enrollment of a person in a course with the role, if there is one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		drawing, singing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID
		learns, manages := w.enroll(ada, drawing, enrollment.Learner), w.enroll(ada, drawing, enrollment.Manager)
		theirs := w.enroll(grace, singing, enrollment.Learner)
		find := func(p person.ID, c course.ID, role enrollment.Role) (enrollment.Enrollment, error) {
			return inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (enrollment.Enrollment, error) {
				return lockEnrollment(ctx, tx, p, c, role)
			})
		}
		for _, want := range []enrollment.Enrollment{learns, manages, theirs} {
			got, err := find(want.Person, want.Course, want.Role)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		for _, none := range []enrollment.Enrollment{
			w.newEnrollment(ada, singing, enrollment.Learner), w.newEnrollment(grace, drawing, enrollment.Learner),
			w.newEnrollment(grace, singing, enrollment.Manager),
			w.newEnrollment(w.newPerson("none@example.test").ID, singing, enrollment.Learner),
			w.newEnrollment(ada, w.newCourse("None").ID, enrollment.Learner),
		} {
			_, err := find(none.Person, none.Course, none.Role)
			is.True(isNotFound(err))
		}
	})

	t.Run("ByPerson returns the person's enrollments, by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		drawing, singing := w.addCourse("Drawing"), w.addCourse("Singing")
		first := w.newEnrollment(ada.ID, singing.ID, enrollment.Learner)
		second := w.newEnrollment(ada.ID, drawing.ID, enrollment.Manager)
		third := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		others := w.newEnrollment(grace.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.tryEnroll(third, others, first), 3)
		is.Equal(w.tryEnroll(second), 1)
		want := []enrollment.Enrollment{first, second, third}
		is.Equal(diff(w.enrollmentsOf(ada.ID), want), "")
		var got []enrollment.Enrollment
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Enrollments.ByPerson(ctx, ada.ID)
			return err
		})
		is.Equal(diff(got, want), "")
	})

	t.Run("ByPerson returns nothing for an unknown person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.enroll(w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID, enrollment.Learner)
		is.Equal(len(w.enrollmentsOf(w.newPerson("grace@example.test").ID)), 0)
	})

	t.Run("AddIfAbsent inserts the new enrollments and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		drawing, singing := w.addCourse("Drawing"), w.addCourse("Singing")
		old := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.tryEnroll(old), 1)

		again := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		otherRole := w.newEnrollment(ada.ID, drawing.ID, enrollment.Manager)
		otherCourse := w.newEnrollment(ada.ID, singing.ID, enrollment.Learner)
		otherPerson := w.newEnrollment(grace.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.tryEnroll(again, otherRole, otherCourse, otherPerson), 3)
		is.Equal(diff(w.enrollmentsOf(ada.ID), []enrollment.Enrollment{old, otherRole, otherCourse}), "")
		is.Equal(diff(w.enrollmentsOf(grace.ID), []enrollment.Enrollment{otherPerson}), "")

		is.Equal(w.tryEnroll(again, otherRole), 0)
		is.Equal(w.tryEnroll(), 0)
		is.Equal(diff(w.enrollmentsOf(ada.ID), []enrollment.Enrollment{old, otherRole, otherCourse}), "")
	})

	t.Run("AddIfAbsent inserts one of several equal records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test"), w.addCourse("Drawing")
		one := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		two := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.tryEnroll(one, two), 1)
		got := w.enrollmentsOf(ada.ID)
		is.Equal(len(got), 1)
		is.True(diff(got[0], one) == "" || diff(got[0], two) == "")
	})

	t.Run("AddIfAbsent returns an error for an unknown person or course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test"), w.addCourse("Drawing")
		good := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		before := w.all()
		for _, bad := range []enrollment.Enrollment{
			w.newEnrollment(w.newPerson("grace@example.test").ID, drawing.ID, enrollment.Learner),
			w.newEnrollment(ada.ID, w.newCourse("Singing").ID, enrollment.Learner),
		} {
			err := w.try(func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{good, bad})
				return err
			})
			is.True(err != nil)
			is.Equal(diff(w.all(), before), "") // the valid enrollment was not added either
		}
	})

	t.Run("AddIfAbsent returns an error for an id that is taken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing, singing := w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID, w.addCourse("Singing").ID
		held, bad := w.enroll(ada, drawing, enrollment.Learner), w.newEnrollment(ada, singing, enrollment.Learner)
		bad.ID = held.ID
		before := w.all()
		is.True(w.trySave(bad) != nil)
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("RemoveFromCourses deletes the person's enrollments in the courses with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		drawing, singing, dancing := w.addCourse("Drawing"), w.addCourse("Singing"), w.addCourse("Dancing")
		w.enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.enroll(ada.ID, singing.ID, enrollment.Learner)
		kept := w.enroll(ada.ID, dancing.ID, enrollment.Learner)
		managed := w.enroll(ada.ID, drawing.ID, enrollment.Manager)
		others := w.enroll(grace.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.unenroll(ada.ID, enrollment.Learner, drawing.ID, singing.ID), 2)
		is.Equal(diff(w.enrollmentsOf(ada.ID), []enrollment.Enrollment{kept, managed}), "")
		is.Equal(diff(w.enrollmentsOf(grace.ID), []enrollment.Enrollment{others}), "")
		is.Equal(w.unenroll(ada.ID, enrollment.Manager, drawing.ID), 1)
		is.Equal(diff(w.enrollmentsOf(ada.ID), []enrollment.Enrollment{kept}), "")
	})

	t.Run("Removing unknown records is ignored", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing, singing := w.addPerson("ada@example.test"), w.addCourse("Drawing"), w.addCourse("Singing")
		w.enroll(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.unenroll(ada.ID, enrollment.Learner), 0)
		is.Equal(w.unenroll(ada.ID, enrollment.Manager, drawing.ID), 0)
		is.Equal(w.unenroll(w.newPerson("grace@example.test").ID, enrollment.Learner, drawing.ID), 0)
		none := w.newCourse("Dancing").ID
		is.Equal(w.unenroll(ada.ID, enrollment.Learner, none, singing.ID, drawing.ID, drawing.ID), 1)
		is.Equal(w.unenroll(ada.ID, enrollment.Learner, drawing.ID), 0)
	})

	t.Run("Removed records can be added again", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test"), w.addCourse("Drawing")
		w.enroll(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.unenroll(ada.ID, enrollment.Learner, drawing.ID), 1)
		again := w.newEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.tryEnroll(again), 1)
		is.Equal(diff(w.enrollmentsOf(ada.ID), []enrollment.Enrollment{again}), "")
	})

	t.Run("DeleteByPerson deletes all enrollments of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		drawing, singing := w.addCourse("Drawing"), w.addCourse("Singing")
		w.enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.enroll(ada.ID, drawing.ID, enrollment.Manager)
		w.enroll(ada.ID, singing.ID, enrollment.Learner)
		others := w.enroll(grace.ID, drawing.ID, enrollment.Learner)
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Enrollments.DeleteByPerson(ctx, ada.ID) })
			is.Equal(len(w.enrollmentsOf(ada.ID)), 0)
			is.Equal(diff(w.enrollmentsOf(grace.ID), []enrollment.Enrollment{others}), "")
		}
	})
}

// unenroll deletes the person's enrollments in the courses with the role and returns their number.
func (s tenant) unenroll(p person.ID, role enrollment.Role, from ...course.ID) int {
	s.t.Helper()
	var removed int
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		removed, err = tx.Enrollments.RemoveFromCourses(ctx, p, role, from)
		return err
	})
	return removed
}
