package courses

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// CourseChanges tests reading and saving courses in transactions, with their categories and
// instructors.
func CourseChanges(t *testing.T, b fixture.Backend) {
	t.Run("GetForUpdate returns the course, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		part := w.AddPartner(w.AddPerson("alan@example.test").ID, person.Instructor)
		want := w.AddCourse("Drawing", fixture.InCategories(w.AddCategory("Design").ID), fixture.InstructedBy(part.ID))
		w.AddCourse("Singing")
		got, err := courseForUpdate(w.Tenant, want.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		_, err = courseForUpdate(w.Tenant, w.NewCourse("None").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Save updates the course with its categories and instructors", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design, music, film := w.AddCategory("Design").ID, w.AddCategory("Music").ID, w.AddCategory("Film").ID
		alan := w.AddPerson("alan@example.test").ID
		first, second := w.AddPartner(alan, person.Instructor).ID, w.AddPartner(alan, person.Owner).ID
		c := w.AddCourse("Drawing", fixture.InCategories(design, music), fixture.InstructedBy(first))
		other := w.AddCourse("Other", fixture.InCategories(design), fixture.InstructedBy(first))
		w.Enroll(w.AddPerson("ada@example.test").ID, c.ID, enrollment.Learner)
		c.Name, c.Permalink, c.UpdatedAt = "Painting", "paint", w.NextTime()
		c.Categories, c.Instructors = []category.ID{music, film}, []person.PartnershipID{second}
		is.NoErr(trySaveCourse(w.Tenant, c))
		is.Equal(fixture.Diff(w.All().Courses, []course.Summary{{State: other}, {State: c, EnrollmentsCount: 1}}), "")
		id, err := w.Read().Courses.IDByPermalink(w.Context(), "paint")
		is.NoErr(err)
		is.Equal(id, c.ID)
		c.Categories, c.Instructors = nil, nil
		is.NoErr(trySaveCourse(w.Tenant, c))
		is.Equal(fixture.Diff(w.CourseSummary(c.ID).State, c), "")
	})

	t.Run("Save returns the same faults as Add", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, holder := w.AddCourse("Drawing"), w.AddCourse("Singing")
		before := w.All()
		changed := c
		changed.Permalink = holder.Permalink
		is.Equal(fixture.DiffTaken(trySaveCourse(w.Tenant, changed), "permalink", course.Type, holder.ID), "")
		changed = c
		changed.Categories = []category.ID{w.NewCategory("None").ID}
		is.True(trySaveCourse(w.Tenant, changed) != nil)
		changed = c
		changed.Instructors = []person.PartnershipID{w.NewPartner(person.ID{}, person.Owner).ID}
		is.True(trySaveCourse(w.Tenant, changed) != nil)
		is.Equal(fixture.Diff(w.All(), before), "")
		is.NoErr(trySaveCourse(w.Tenant, c)) // the course's own permalink is not taken
	})

	t.Run("Save returns NotFound for an unknown course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.True(fixture.IsNotFound(trySaveCourse(w.Tenant, w.NewCourse("Drawing"))))
		is.Equal(len(w.All().Courses), 0)
	})

	t.Run("A former permalink is free", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing")
		c.Permalink = "paint"
		is.NoErr(trySaveCourse(w.Tenant, c))
		is.NoErr(w.TryAddCourse(w.NewCourse("Drawing")))
	})

	t.Run("GetManyForShare returns the categories by id and omits unknown ids", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design, music, none := w.AddCategory("Design"), w.AddCategory("Music"), w.NewCategory("None")
		got := map[category.ID]category.State{}
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.Categories.GetManyForShare(ctx, []category.ID{music.ID, none.ID, design.ID, music.ID})
			for id, c := range found {
				got[id] = c.State()
			}
			return err
		})
		is.Equal(fixture.Diff(got, map[category.ID]category.State{design.ID: design, music.ID: music}), "")
	})

	t.Run("DetachInstructor removes the partnership from all its courses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		alan := w.AddPerson("alan@example.test").ID
		gone, stays := w.AddPartner(alan, person.Instructor), w.AddPartner(alan, person.Owner)
		both := w.AddCourse("Both", fixture.InstructedBy(gone.ID, stays.ID))
		one := w.AddCourse("One", fixture.InstructedBy(gone.ID))
		other := w.AddCourse("Other", fixture.InstructedBy(stays.ID))
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.DetachInstructor(ctx, gone.ID) })
		both.Instructors, one.Instructors = []person.PartnershipID{stays.ID}, nil
		is.Equal(fixture.Diff(w.All().Courses, []course.Summary{{State: both}, {State: one}, {State: other}}), "")
		is.Equal(len(w.All().Partnerships), 2)
	})

	t.Run("RemovePeople deletes the people's enrollments in the course with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID
		ada, grace, alan := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID, w.AddPerson("alan@example.test").ID
		w.Enroll(ada, drawing, enrollment.Learner)
		w.Enroll(grace, drawing, enrollment.Learner)
		left := []enrollment.Summary{
			fixture.WithoutAttempt(w.Enroll(ada, drawing, enrollment.Manager)), fixture.WithoutAttempt(w.Enroll(ada, singing, enrollment.Learner)),
		}
		var n int
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			n, err = tx.Enrollments.RemovePeople(ctx, drawing, enrollment.Learner, []person.ID{grace, ada, alan, ada})
			return err
		})
		is.Equal(n, 2)
		is.Equal(fixture.Diff(w.All().Enrollments, []enrollment.Summary{left[1], left[0]}), "") // newest first
		is.Equal(w.CourseSummary(drawing).EnrollmentsCount, int64(0))
		is.Equal(w.PersonSummary(ada).CourseCount, int64(1))
		is.Equal(w.PersonSummary(grace).CourseCount, int64(0))
	})
}

func courseForUpdate(s fixture.Tenant, id course.ID) (course.State, error) {
	c, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (course.Course, error) { return tx.Courses.GetForUpdate(ctx, id) })
	return c.State(), err
}

func trySaveCourse(s fixture.Tenant, c course.State) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.Save(ctx, course.Restore(c)) })
}
