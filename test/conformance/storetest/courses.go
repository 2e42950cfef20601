package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// courses tests ports.CourseReader and ports.CourseRepo except for their lists.
func courses(t *testing.T, b Backend) {
	t.Run("Get returns the course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design := w.addCategory("Design")
		part := w.addPartner(w.addPerson("alan@example.test").ID, person.Instructor)
		c := w.addCourse("Drawing", inCategories(design.ID), instructedBy(part.ID))
		w.addCourse("Singing")
		w.enroll(w.addPerson("ada@example.test").ID, c.ID, enrollment.Learner)
		want := course.Summary{State: c, EnrollmentsCount: 1}
		is.Equal(diff(w.courseSummary(c.ID), want), "")
		var got course.Summary
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Courses.Get(ctx, c.ID)
			return err
		})
		is.Equal(diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCourse("Drawing")
		_, err := w.read().Courses.Get(w.ctx(), w.newCourse("Singing").ID)
		is.True(isNotFound(err))
	})

	t.Run("Categories and instructors are ordered by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		alan := w.addPerson("alan@example.test")
		first, second, third := w.addCategory("C"), w.addCategory("A"), w.addCategory("B")
		owner, teacher := w.addPartner(alan.ID, person.Owner), w.addPartner(alan.ID, person.Instructor)
		c := w.addCourse("Drawing", inCategories(third.ID, first.ID, second.ID), instructedBy(teacher.ID, owner.ID))
		c.Categories = []category.ID{first.ID, second.ID, third.ID}
		c.Instructors = []person.PartnershipID{owner.ID, teacher.ID}
		is.Equal(diff(w.courseSummary(c.ID).State, c), "")
		is.Equal(diff(w.all().Courses, []course.Summary{{State: c}}), "")
	})

	t.Run("IDByPermalink returns the id of the course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing := w.addCourse("Drawing"), w.addCourse("Singing")
		for _, c := range []course.State{drawing, singing} {
			got, err := w.read().Courses.IDByPermalink(w.ctx(), c.Permalink)
			is.NoErr(err)
			is.Equal(got, c.ID)
		}
	})

	t.Run("IDByPermalink returns NotFound for an unknown permalink and compares byte by byte", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCourse("Drawing")
		for _, permalink := range []string{"", "singing", "Drawing", "DRAWING", "drawing ", "drawin_", "dr%", "drawing\u0301", "d\x00", "\xff"} {
			_, err := w.read().Courses.IDByPermalink(w.ctx(), permalink)
			is.True(isNotFound(err)) // no course has the permalink
		}
	})

	t.Run("GetManyForShare returns the courses by id and omits unknown ids", func(t *testing.T) {
		w := newWorld(t, b)
		design := w.addCategory("Design")
		part := w.addPartner(w.addPerson("alan@example.test").ID, person.Instructor)
		drawing := w.addCourse("Drawing", inCategories(design.ID), instructedBy(part.ID))
		singing, dancing := w.addCourse("Singing"), w.addCourse("Dancing")
		none := w.newCourse("None").ID
		tests := []struct {
			name string
			ids  []course.ID
			want []course.State
		}{
			{"no ids", nil, nil},
			{"one", []course.ID{singing.ID}, []course.State{singing}},
			{"several", []course.ID{dancing.ID, drawing.ID}, []course.State{dancing, drawing}},
			{"one id twice", []course.ID{drawing.ID, singing.ID, drawing.ID}, []course.State{drawing, singing}},
			{"an unknown id", []course.ID{none, drawing.ID}, []course.State{drawing}},
			{"only unknown ids", []course.ID{none}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				got, err := w.coursesForShare(tt.ids...)
				is.NoErr(err)
				want := map[course.ID]course.State{}
				for _, c := range tt.want {
					want[c.ID] = c
				}
				is.Equal(diff(got, want), "")
			})
		}
	})

	t.Run("Add inserts the course with its categories and instructors", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design, music := w.addCategory("Design"), w.addCategory("Music")
		part := w.addPartner(w.addPerson("alan@example.test").ID, person.Owner)
		bare := w.newCourse("Bare")
		full := w.newCourse("Full", inCategories(design.ID, music.ID), instructedBy(part.ID))
		is.NoErr(w.tryAddCourse(bare))
		is.NoErr(w.tryAddCourse(full))
		is.Equal(diff(w.all().Courses, []course.Summary{{State: bare}, {State: full}}), "")
	})

	t.Run("A permalink of another course is Invalid on the field permalink, with that course as the holder", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCourse("Singing")
		holder := w.addCourse("Drawing")
		c := w.newCourse("Another", func(c *course.State) { c.Permalink = holder.Permalink })
		before := w.all()
		is.Equal(diffTaken(w.tryAddCourse(c), "permalink", course.Type, holder.ID), "")
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("Courses can have the same name", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCourse("Drawing")
		is.NoErr(w.tryAddCourse(w.newCourse("Drawing", func(c *course.State) { c.Permalink = "drawing-2" })))
	})

	t.Run("An unknown category or partnership is an error", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design := w.addCategory("Design")
		before := w.all()
		err := w.tryAddCourse(w.newCourse("Drawing", inCategories(design.ID, w.newCategory("None").ID)))
		is.True(err != nil)
		err = w.tryAddCourse(w.newCourse("Drawing", instructedBy(w.newPartner(person.ID{}, person.Owner).ID)))
		is.True(err != nil)
		is.Equal(diff(w.all(), before), "") // neither course was saved, not even in part
	})

	t.Run("DetachCategory removes the category from all its courses", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design, music := w.addCategory("Design"), w.addCategory("Music")
		both := w.addCourse("Both", inCategories(design.ID, music.ID))
		one := w.addCourse("One", inCategories(design.ID))
		other := w.addCourse("Other", inCategories(music.ID))
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.DetachCategory(ctx, design.ID) })
		// Only the categories of the courses change, not their UpdatedAt.
		both.Categories, one.Categories = []category.ID{music.ID}, nil
		want := []course.Summary{{State: both}, {State: one}, {State: other}}
		is.Equal(diff(w.all().Courses, want), "")
		is.Equal(diff(w.all().Categories, []category.State{design, music}), "") // the category remains
	})
}

// instructedBy sets the instructors of a new course.
func instructedBy(ids ...person.PartnershipID) func(*course.State) {
	return func(c *course.State) { c.Instructors = ids }
}

// tryAddCourse adds a course.
func (s tenant) tryAddCourse(c course.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.Add(ctx, course.Restore(c)) })
}

// coursesForShare returns the states of the courses that GetManyForShare returns.
func (s tenant) coursesForShare(ids ...course.ID) (map[course.ID]course.State, error) {
	states := map[course.ID]course.State{}
	err := s.try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Courses.GetManyForShare(ctx, slices.Clone(ids))
		clear(states)
		for id, c := range found {
			states[id] = c.State()
		}
		return err
	})
	return states, err
}
