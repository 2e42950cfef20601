package learning

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Enrollments tests ports.EnrollmentReader and ports.EnrollmentRepo. Package counts tests the
// counts that are derived from enrollments.
func Enrollments(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the enrollment, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID
		learns, manages := w.Enroll(ada, drawing, enrollment.Learner), w.Enroll(ada, drawing, enrollment.Manager)
		mustGet := func(want enrollment.Summary) {
			got, err := w.Read().Enrollments.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
			got, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (enrollment.Summary, error) {
				return tx.Enrollments.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		want := fixture.WithoutAttempt(learns)
		mustGet(want)
		mustGet(fixture.WithoutAttempt(manages))

		second := w.NewAttempt(ada, drawing, 2)
		second.Progress = 3333
		w.Save(second)
		first := w.NewAttempt(ada, drawing, 1)
		first.Progress = 10000
		w.Save(first) // saved later, but with a lower number
		*want.Progress = 3333
		mustGet(want)
		mustGet(fixture.WithoutAttempt(manages)) // a manager has no attempt
		second.Progress = 6667
		is.NoErr(w.TrySaveAttempt(second))
		*want.Progress = 6667
		mustGet(want)
		_, err := w.Read().Enrollments.Get(w.Context(), w.NewEnrollment(ada, drawing, enrollment.Learner).ID)
		is.True(fixture.IsNotFound(err))

		is.Equal(w.Unenroll(ada, enrollment.Learner, drawing), 1)
		_, err = w.Read().Enrollments.Get(w.Context(), want.ID)
		is.True(fixture.IsNotFound(err))
		want.Enrollment = w.Enroll(ada, drawing, enrollment.Learner) // the earlier attempts belong to the new enrollment
		mustGet(want)
	})

	t.Run("GetManyForUpdate returns the enrollment of a person in a course with the role, if there is one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		drawing, singing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID
		learns, manages := w.Enroll(ada, drawing, enrollment.Learner), w.Enroll(ada, drawing, enrollment.Manager)
		theirs := w.Enroll(grace, singing, enrollment.Learner)
		find := func(p person.ID, c course.ID, role enrollment.Role) (enrollment.Enrollment, error) {
			return fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (enrollment.Enrollment, error) {
				return fixture.LockEnrollment(ctx, tx, p, c, role)
			})
		}
		for _, want := range []enrollment.Enrollment{learns, manages, theirs} {
			got, err := find(want.Person, want.Course, want.Role)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		for _, none := range []enrollment.Enrollment{
			w.NewEnrollment(ada, singing, enrollment.Learner), w.NewEnrollment(grace, drawing, enrollment.Learner),
			w.NewEnrollment(grace, singing, enrollment.Manager),
			w.NewEnrollment(w.NewPerson("none@example.test").ID, singing, enrollment.Learner),
			w.NewEnrollment(ada, w.NewCourse("None").ID, enrollment.Learner),
		} {
			_, err := find(none.Person, none.Course, none.Role)
			is.True(fixture.IsNotFound(err))
		}
	})

	t.Run("ByPerson returns the person's enrollments, by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		drawing, singing := w.AddCourse("Drawing"), w.AddCourse("Singing")
		first := w.NewEnrollment(ada.ID, singing.ID, enrollment.Learner)
		second := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Manager)
		third := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		others := w.NewEnrollment(grace.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.TryEnroll(third, others, first), 3)
		is.Equal(w.TryEnroll(second), 1)
		want := []enrollment.Enrollment{first, second, third}
		is.Equal(fixture.Diff(w.EnrollmentsOf(ada.ID), want), "")
		var got []enrollment.Enrollment
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Enrollments.ByPerson(ctx, ada.ID)
			return err
		})
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("ByPerson returns nothing for an unknown person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.Enroll(w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID, enrollment.Learner)
		is.Equal(len(w.EnrollmentsOf(w.NewPerson("grace@example.test").ID)), 0)
	})

	t.Run("AddIfAbsent inserts the new enrollments and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		drawing, singing := w.AddCourse("Drawing"), w.AddCourse("Singing")
		old := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.TryEnroll(old), 1)

		again := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		otherRole := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Manager)
		otherCourse := w.NewEnrollment(ada.ID, singing.ID, enrollment.Learner)
		otherPerson := w.NewEnrollment(grace.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.TryEnroll(again, otherRole, otherCourse, otherPerson), 3)
		is.Equal(fixture.Diff(w.EnrollmentsOf(ada.ID), []enrollment.Enrollment{old, otherRole, otherCourse}), "")
		is.Equal(fixture.Diff(w.EnrollmentsOf(grace.ID), []enrollment.Enrollment{otherPerson}), "")

		is.Equal(w.TryEnroll(again, otherRole), 0)
		is.Equal(w.TryEnroll(), 0)
		is.Equal(fixture.Diff(w.EnrollmentsOf(ada.ID), []enrollment.Enrollment{old, otherRole, otherCourse}), "")
	})

	t.Run("AddIfAbsent inserts one of several equal records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test"), w.AddCourse("Drawing")
		one := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		two := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.TryEnroll(one, two), 1)
		got := w.EnrollmentsOf(ada.ID)
		is.Equal(len(got), 1)
		is.True(fixture.Diff(got[0], one) == "" || fixture.Diff(got[0], two) == "")
	})

	t.Run("AddIfAbsent returns an error for an unknown person or course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test"), w.AddCourse("Drawing")
		good := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		before := w.All()
		for _, bad := range []enrollment.Enrollment{
			w.NewEnrollment(w.NewPerson("grace@example.test").ID, drawing.ID, enrollment.Learner),
			w.NewEnrollment(ada.ID, w.NewCourse("Singing").ID, enrollment.Learner),
		} {
			err := w.Try(func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{good, bad})
				return err
			})
			is.True(err != nil)
			is.Equal(fixture.Diff(w.All(), before), "") // the valid enrollment was not added either
		}
	})

	t.Run("AddIfAbsent returns an error for an id that is taken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing, singing := w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID
		held, bad := w.Enroll(ada, drawing, enrollment.Learner), w.NewEnrollment(ada, singing, enrollment.Learner)
		bad.ID = held.ID
		before := w.All()
		is.True(w.TrySave(bad) != nil)
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("RemoveFromCourses deletes the person's enrollments in the courses with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		drawing, singing, dancing := w.AddCourse("Drawing"), w.AddCourse("Singing"), w.AddCourse("Dancing")
		w.Enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.Enroll(ada.ID, singing.ID, enrollment.Learner)
		kept := w.Enroll(ada.ID, dancing.ID, enrollment.Learner)
		managed := w.Enroll(ada.ID, drawing.ID, enrollment.Manager)
		others := w.Enroll(grace.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.Unenroll(ada.ID, enrollment.Learner, drawing.ID, singing.ID), 2)
		is.Equal(fixture.Diff(w.EnrollmentsOf(ada.ID), []enrollment.Enrollment{kept, managed}), "")
		is.Equal(fixture.Diff(w.EnrollmentsOf(grace.ID), []enrollment.Enrollment{others}), "")
		is.Equal(w.Unenroll(ada.ID, enrollment.Manager, drawing.ID), 1)
		is.Equal(fixture.Diff(w.EnrollmentsOf(ada.ID), []enrollment.Enrollment{kept}), "")
	})

	t.Run("Removing unknown records is ignored", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing, singing := w.AddPerson("ada@example.test"), w.AddCourse("Drawing"), w.AddCourse("Singing")
		w.Enroll(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.Unenroll(ada.ID, enrollment.Learner), 0)
		is.Equal(w.Unenroll(ada.ID, enrollment.Manager, drawing.ID), 0)
		is.Equal(w.Unenroll(w.NewPerson("grace@example.test").ID, enrollment.Learner, drawing.ID), 0)
		none := w.NewCourse("Dancing").ID
		is.Equal(w.Unenroll(ada.ID, enrollment.Learner, none, singing.ID, drawing.ID, drawing.ID), 1)
		is.Equal(w.Unenroll(ada.ID, enrollment.Learner, drawing.ID), 0)
	})

	t.Run("Removed records can be added again", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test"), w.AddCourse("Drawing")
		w.Enroll(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.Unenroll(ada.ID, enrollment.Learner, drawing.ID), 1)
		again := w.NewEnrollment(ada.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.TryEnroll(again), 1)
		is.Equal(fixture.Diff(w.EnrollmentsOf(ada.ID), []enrollment.Enrollment{again}), "")
	})

	t.Run("DeleteByPerson deletes all enrollments of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		drawing, singing := w.AddCourse("Drawing"), w.AddCourse("Singing")
		w.Enroll(ada.ID, drawing.ID, enrollment.Learner)
		w.Enroll(ada.ID, drawing.ID, enrollment.Manager)
		w.Enroll(ada.ID, singing.ID, enrollment.Learner)
		others := w.Enroll(grace.ID, drawing.ID, enrollment.Learner)
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Enrollments.DeleteByPerson(ctx, ada.ID) })
			is.Equal(len(w.EnrollmentsOf(ada.ID)), 0)
			is.Equal(fixture.Diff(w.EnrollmentsOf(grace.ID), []enrollment.Enrollment{others}), "")
		}
	})
}
