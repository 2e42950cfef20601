package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// courseChanges tests reading and saving courses in transactions, with their categories and
// instructors.
func courseChanges(t *testing.T, b Backend) {
	t.Run("GetForUpdate returns the course, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		part := w.addPartner(w.addPerson("alan@example.test").ID, person.Instructor)
		want := w.addCourse("Drawing", inCategories(w.addCategory("Design").ID), instructedBy(part.ID))
		w.addCourse("Singing")
		got, err := w.courseForUpdate(want.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		_, err = w.courseForUpdate(w.newCourse("None").ID)
		is.True(isNotFound(err))
	})

	t.Run("Save updates the course with its categories and instructors", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design, music, film := w.addCategory("Design").ID, w.addCategory("Music").ID, w.addCategory("Film").ID
		alan := w.addPerson("alan@example.test").ID
		first, second := w.addPartner(alan, person.Instructor).ID, w.addPartner(alan, person.Owner).ID
		c := w.addCourse("Drawing", inCategories(design, music), instructedBy(first))
		other := w.addCourse("Other", inCategories(design), instructedBy(first))
		w.enroll(w.addPerson("ada@example.test").ID, c.ID, enrollment.Learner)
		c.Name, c.Permalink, c.UpdatedAt = "Painting", "paint", w.nextTime()
		c.Categories, c.Instructors = []category.ID{music, film}, []person.PartnershipID{second}
		is.NoErr(w.trySaveCourse(c))
		is.Equal(diff(w.all().Courses, []course.Summary{{State: other}, {State: c, EnrollmentsCount: 1}}), "")
		id, err := w.read().Courses.IDByPermalink(w.ctx(), "paint")
		is.NoErr(err)
		is.Equal(id, c.ID)
		c.Categories, c.Instructors = nil, nil
		is.NoErr(w.trySaveCourse(c))
		is.Equal(diff(w.courseSummary(c.ID).State, c), "")
	})

	t.Run("Save returns the same faults as Add", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, holder := w.addCourse("Drawing"), w.addCourse("Singing")
		before := w.all()
		changed := c
		changed.Permalink = holder.Permalink
		is.Equal(diffTaken(w.trySaveCourse(changed), "permalink", course.Type, holder.ID), "")
		changed = c
		changed.Categories = []category.ID{w.newCategory("None").ID}
		is.True(w.trySaveCourse(changed) != nil)
		changed = c
		changed.Instructors = []person.PartnershipID{w.newPartner(person.ID{}, person.Owner).ID}
		is.True(w.trySaveCourse(changed) != nil)
		is.Equal(diff(w.all(), before), "")
		is.NoErr(w.trySaveCourse(c)) // the course's own permalink is not taken
	})

	t.Run("Save returns NotFound for an unknown course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.True(isNotFound(w.trySaveCourse(w.newCourse("Drawing"))))
		is.Equal(len(w.all().Courses), 0)
	})

	t.Run("A former permalink is free", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCourse("Drawing")
		c.Permalink = "paint"
		is.NoErr(w.trySaveCourse(c))
		is.NoErr(w.tryAddCourse(w.newCourse("Drawing")))
	})

	t.Run("GetManyForShare returns the categories by id and omits unknown ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design, music, none := w.addCategory("Design"), w.addCategory("Music"), w.newCategory("None")
		got := map[category.ID]category.State{}
		w.do(func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.Categories.GetManyForShare(ctx, []category.ID{music.ID, none.ID, design.ID, music.ID})
			for id, c := range found {
				got[id] = c.State()
			}
			return err
		})
		is.Equal(diff(got, map[category.ID]category.State{design.ID: design, music.ID: music}), "")
	})

	t.Run("DetachInstructor removes the partnership from all its courses", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		alan := w.addPerson("alan@example.test").ID
		gone, stays := w.addPartner(alan, person.Instructor), w.addPartner(alan, person.Owner)
		both := w.addCourse("Both", instructedBy(gone.ID, stays.ID))
		one := w.addCourse("One", instructedBy(gone.ID))
		other := w.addCourse("Other", instructedBy(stays.ID))
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.DetachInstructor(ctx, gone.ID) })
		both.Instructors, one.Instructors = []person.PartnershipID{stays.ID}, nil
		is.Equal(diff(w.all().Courses, []course.Summary{{State: both}, {State: one}, {State: other}}), "")
		is.Equal(len(w.all().Partnerships), 2)
	})

	t.Run("RemovePeople deletes the people's enrollments in the course with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID
		ada, grace, alan := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID, w.addPerson("alan@example.test").ID
		w.enroll(ada, drawing, enrollment.Learner)
		w.enroll(grace, drawing, enrollment.Learner)
		left := []enrollment.Summary{
			withoutAttempt(w.enroll(ada, drawing, enrollment.Manager)), withoutAttempt(w.enroll(ada, singing, enrollment.Learner)),
		}
		var n int
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			n, err = tx.Enrollments.RemovePeople(ctx, drawing, enrollment.Learner, []person.ID{grace, ada, alan, ada})
			return err
		})
		is.Equal(n, 2)
		is.Equal(diff(w.all().Enrollments, []enrollment.Summary{left[1], left[0]}), "") // newest first
		is.Equal(w.courseSummary(drawing).EnrollmentsCount, int64(0))
		is.Equal(w.personSummary(ada).CourseCount, int64(1))
		is.Equal(w.personSummary(grace).CourseCount, int64(0))
	})
}

func (s tenant) courseForUpdate(id course.ID) (course.State, error) {
	c, err := inTx(s, func(ctx context.Context, tx ports.Tx) (course.Course, error) { return tx.Courses.GetForUpdate(ctx, id) })
	return c.State(), err
}

func (s tenant) trySaveCourse(c course.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.Save(ctx, course.Restore(c)) })
}
