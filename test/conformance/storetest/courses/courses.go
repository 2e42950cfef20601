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

// Courses tests ports.CourseReader and ports.CourseRepo except for their lists.
func Courses(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design := w.AddCategory("Design")
		part := w.AddPartner(w.AddPerson("alan@example.test").ID, person.Instructor)
		c := w.AddCourse("Drawing", fixture.InCategories(design.ID), fixture.InstructedBy(part.ID))
		w.AddCourse("Singing")
		w.Enroll(w.AddPerson("ada@example.test").ID, c.ID, enrollment.Learner)
		want := course.Summary{State: c, EnrollmentsCount: 1}
		is.Equal(fixture.Diff(w.CourseSummary(c.ID), want), "")
		var got course.Summary
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Courses.Get(ctx, c.ID)
			return err
		})
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCourse("Drawing")
		_, err := w.Read().Courses.Get(w.Context(), w.NewCourse("Singing").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Categories and instructors are ordered by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		alan := w.AddPerson("alan@example.test")
		first, second, third := w.AddCategory("C"), w.AddCategory("A"), w.AddCategory("B")
		owner, teacher := w.AddPartner(alan.ID, person.Owner), w.AddPartner(alan.ID, person.Instructor)
		c := w.AddCourse("Drawing", fixture.InCategories(third.ID, first.ID, second.ID), fixture.InstructedBy(teacher.ID, owner.ID))
		c.Categories = []category.ID{first.ID, second.ID, third.ID}
		c.Instructors = []person.PartnershipID{owner.ID, teacher.ID}
		is.Equal(fixture.Diff(w.CourseSummary(c.ID).State, c), "")
		is.Equal(fixture.Diff(w.All().Courses, []course.Summary{{State: c}}), "")
	})

	t.Run("IDByPermalink returns the id of the course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing := w.AddCourse("Drawing"), w.AddCourse("Singing")
		for _, c := range []course.State{drawing, singing} {
			got, err := w.Read().Courses.IDByPermalink(w.Context(), c.Permalink)
			is.NoErr(err)
			is.Equal(got, c.ID)
		}
	})

	t.Run("IDByPermalink returns NotFound for an unknown permalink and compares byte by byte", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCourse("Drawing")
		for _, permalink := range []string{"", "singing", "Drawing", "DRAWING", "drawing ", "drawin_", "dr%", "drawing\u0301", "d\x00", "\xff"} {
			_, err := w.Read().Courses.IDByPermalink(w.Context(), permalink)
			is.True(fixture.IsNotFound(err)) // no course has the permalink
		}
	})

	t.Run("GetManyForShare returns the courses by id and omits unknown ids", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		design := w.AddCategory("Design")
		part := w.AddPartner(w.AddPerson("alan@example.test").ID, person.Instructor)
		drawing := w.AddCourse("Drawing", fixture.InCategories(design.ID), fixture.InstructedBy(part.ID))
		singing, dancing := w.AddCourse("Singing"), w.AddCourse("Dancing")
		none := w.NewCourse("None").ID
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
				got, err := w.CoursesForShare(tt.ids...)
				is.NoErr(err)
				want := map[course.ID]course.State{}
				for _, c := range tt.want {
					want[c.ID] = c
				}
				is.Equal(fixture.Diff(got, want), "")
			})
		}
	})

	t.Run("Add inserts the course with its categories and instructors", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design, music := w.AddCategory("Design"), w.AddCategory("Music")
		part := w.AddPartner(w.AddPerson("alan@example.test").ID, person.Owner)
		bare := w.NewCourse("Bare")
		full := w.NewCourse("Full", fixture.InCategories(design.ID, music.ID), fixture.InstructedBy(part.ID))
		is.NoErr(w.TryAddCourse(bare))
		is.NoErr(w.TryAddCourse(full))
		is.Equal(fixture.Diff(w.All().Courses, []course.Summary{{State: bare}, {State: full}}), "")
	})

	t.Run("A permalink of another course is Invalid on the field permalink, with that course as the holder", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCourse("Singing")
		holder := w.AddCourse("Drawing")
		c := w.NewCourse("Another", func(c *course.State) { c.Permalink = holder.Permalink })
		before := w.All()
		is.Equal(fixture.DiffTaken(w.TryAddCourse(c), "permalink", course.Type, holder.ID), "")
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("Courses can have the same name", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCourse("Drawing")
		is.NoErr(w.TryAddCourse(w.NewCourse("Drawing", func(c *course.State) { c.Permalink = "drawing-2" })))
	})

	t.Run("An unknown category or partnership is an error", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design := w.AddCategory("Design")
		before := w.All()
		err := w.TryAddCourse(w.NewCourse("Drawing", fixture.InCategories(design.ID, w.NewCategory("None").ID)))
		is.True(err != nil)
		err = w.TryAddCourse(w.NewCourse("Drawing", fixture.InstructedBy(w.NewPartner(person.ID{}, person.Owner).ID)))
		is.True(err != nil)
		is.Equal(fixture.Diff(w.All(), before), "") // neither course was saved, not even in part
	})

	t.Run("DetachCategory removes the category from all its courses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design, music := w.AddCategory("Design"), w.AddCategory("Music")
		both := w.AddCourse("Both", fixture.InCategories(design.ID, music.ID))
		one := w.AddCourse("One", fixture.InCategories(design.ID))
		other := w.AddCourse("Other", fixture.InCategories(music.ID))
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.DetachCategory(ctx, design.ID) })
		// Only the categories of the courses change, not their UpdatedAt.
		both.Categories, one.Categories = []category.ID{music.ID}, nil
		want := []course.Summary{{State: both}, {State: one}, {State: other}}
		is.Equal(fixture.Diff(w.All().Courses, want), "")
		is.Equal(fixture.Diff(w.All().Categories, []category.State{design, music}), "") // the category remains
	})
}
