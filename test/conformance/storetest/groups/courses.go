package groups

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Courses tests the methods of ports.GroupRepo about the courses of groups.
func Courses(t *testing.T, b fixture.Backend) {
	t.Run("CourseIDs returns the courses of each group, by id, and omits groups without courses", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		first, second, third := w.AddCourse("C").ID, w.AddCourse("A").ID, w.AddCourse("B").ID
		painters, singers := w.AddGroup("Painters", third, first, second).ID, w.AddGroup("Singers", second).ID
		bare, none := w.AddGroup("Bare").ID, w.NewGroup("None").ID
		all, one := []course.ID{first, second, third}, []course.ID{second}
		tests := []struct {
			name string
			ids  []group.ID
			want map[group.ID][]course.ID
		}{
			{"no ids", nil, nil},
			{"one", []group.ID{painters}, map[group.ID][]course.ID{painters: all}},
			{"several", []group.ID{singers, painters}, map[group.ID][]course.ID{painters: all, singers: one}},
			{"one id twice", []group.ID{singers, singers}, map[group.ID][]course.ID{singers: one}},
			{"one without courses", []group.ID{bare, singers}, map[group.ID][]course.ID{singers: one}},
			{"an unknown id", []group.ID{none, singers}, map[group.ID][]course.ID{singers: one}},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				var got map[group.ID][]course.ID
				w.WithT(t).Do(func(ctx context.Context, tx ports.Tx) (err error) {
					got, err = tx.Groups.CourseIDs(ctx, tt.ids)
					return err
				})
				is.Equal(fixture.Diff(got, tt.want), "")
			})
		}
	})

	t.Run("AddCourses adds the courses that the group does not have and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing, dancing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID, w.AddCourse("Dancing").ID
		g, other := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		before := w.All()
		steps := []struct {
			ids []course.ID
			put int
		}{
			{nil, 0},
			{[]course.ID{singing}, 1},
			{[]course.ID{singing}, 0},
			{[]course.ID{dancing, singing, drawing}, 2},
			{[]course.ID{drawing, singing, dancing}, 0},
		}
		for _, step := range steps {
			put, err := w.TryAddCourses(g, step.ids...)
			is.NoErr(err)
			is.Equal(put, step.put)
		}
		is.Equal(w.CoursesOf(g), []course.ID{drawing, singing, dancing})
		is.Equal(w.CoursesOf(other), nil)
		is.Equal(fixture.Diff(w.All(), before), "") // no other data of the group or the courses has changed
	})

	t.Run("AddCourses adds one of several equal courses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, g := w.AddCourse("Drawing").ID, w.AddGroup("Painters").ID
		put, err := w.TryAddCourses(g, drawing, drawing)
		is.NoErr(err)
		is.Equal(put, 1)
		is.Equal(w.CoursesOf(g), []course.ID{drawing})
	})

	t.Run("AddCourses returns an error for an unknown group or course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, g := w.AddCourse("Drawing").ID, w.AddGroup("Painters").ID
		for name, add := range map[string]func(context.Context, ports.Tx) error{
			"group": func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Groups.AddCourses(ctx, w.NewGroup("None").ID, []course.ID{drawing}))
			},
			"course": func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Groups.AddCourses(ctx, g, []course.ID{drawing, w.NewCourse("None").ID}))
			},
		} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				is.True(w.Try(add) != nil)
			})
		}
		is.Equal(w.CoursesOf(g), nil) // the valid course was not added either
	})

	t.Run("RemoveCourses removes the courses from the group and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing, dancing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID, w.AddCourse("Dancing").ID
		g, other := w.AddGroup("Painters", drawing, singing, dancing).ID, w.AddGroup("Singers", drawing).ID
		before := w.All()
		none := w.NewCourse("None").ID
		steps := []struct {
			ids     []course.ID
			removed int
		}{
			{nil, 0},
			{[]course.ID{singing, none}, 1},
			{[]course.ID{singing}, 0},
			{[]course.ID{drawing, drawing}, 1},
		}
		for _, step := range steps {
			is.Equal(w.RemoveCourses(g, step.ids...), step.removed)
		}
		is.Equal(w.RemoveCourses(w.NewGroup("None").ID, drawing), 0) // an unknown group has no courses
		is.Equal(w.CoursesOf(g), []course.ID{dancing})
		is.Equal(w.CoursesOf(other), []course.ID{drawing})
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("Removed courses can be added again", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing").ID
		g := w.AddGroup("Painters", drawing).ID
		is.Equal(w.RemoveCourses(g, drawing), 1)
		put, err := w.TryAddCourses(g, drawing)
		is.NoErr(err)
		is.Equal(put, 1)
		is.Equal(w.CoursesOf(g), []course.ID{drawing})
	})

	t.Run("Several changes in one transaction are combined and rolled back together", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing, dancing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID, w.AddCourse("Dancing").ID
		g := w.AddGroup("Painters", drawing, singing).ID
		var during map[group.ID][]course.ID
		change := func(ctx context.Context, tx ports.Tx) (err error) {
			if _, err := tx.Groups.GetForUpdate(ctx, g); err != nil {
				return err
			}
			if _, err := tx.Groups.RemoveCourses(ctx, g, []course.ID{drawing, singing}); err != nil {
				return err
			}
			if _, err := tx.Groups.AddCourses(ctx, g, []course.ID{singing, dancing}); err != nil {
				return err
			}
			during, err = tx.Groups.CourseIDs(ctx, []group.ID{g})
			return err
		}
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := change(ctx, tx); err != nil {
				return err
			}
			return fixture.ErrDropped
		})
		is.True(err != nil)
		is.Equal(during[g], []course.ID{singing, dancing}) // the transaction sees its writes
		is.Equal(w.CoursesOf(g), []course.ID{drawing, singing})
		is.NoErr(w.Try(change))
		is.Equal(w.CoursesOf(g), []course.ID{singing, dancing})
	})
}
