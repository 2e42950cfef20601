package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/ports"
)

// groupCourses tests the methods of ports.GroupRepo about the courses of groups.
func groupCourses(t *testing.T, b Backend) {
	t.Run("CourseIDs returns the courses of each group, by id, and omits groups without courses", func(t *testing.T) {
		w := newWorld(t, b)
		first, second, third := w.addCourse("C").ID, w.addCourse("A").ID, w.addCourse("B").ID
		painters, singers := w.addGroup("Painters", third, first, second).ID, w.addGroup("Singers", second).ID
		bare, none := w.addGroup("Bare").ID, w.newGroup("None").ID
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
				w.withT(t).do(func(ctx context.Context, tx ports.Tx) (err error) {
					got, err = tx.Groups.CourseIDs(ctx, tt.ids)
					return err
				})
				is.Equal(diff(got, tt.want), "")
			})
		}
	})

	t.Run("AddCourses adds the courses that the group does not have and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing, dancing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID, w.addCourse("Dancing").ID
		g, other := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		before := w.all()
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
			put, err := w.tryAddCourses(g, step.ids...)
			is.NoErr(err)
			is.Equal(put, step.put)
		}
		is.Equal(w.coursesOf(g), []course.ID{drawing, singing, dancing})
		is.Equal(w.coursesOf(other), nil)
		is.Equal(diff(w.all(), before), "") // no other data of the group or the courses has changed
	})

	t.Run("AddCourses adds one of several equal courses", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, g := w.addCourse("Drawing").ID, w.addGroup("Painters").ID
		put, err := w.tryAddCourses(g, drawing, drawing)
		is.NoErr(err)
		is.Equal(put, 1)
		is.Equal(w.coursesOf(g), []course.ID{drawing})
	})

	t.Run("AddCourses returns an error for an unknown group or course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, g := w.addCourse("Drawing").ID, w.addGroup("Painters").ID
		for name, add := range map[string]func(context.Context, ports.Tx) error{
			"group": func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Groups.AddCourses(ctx, w.newGroup("None").ID, []course.ID{drawing}))
			},
			"course": func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Groups.AddCourses(ctx, g, []course.ID{drawing, w.newCourse("None").ID}))
			},
		} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				is.True(w.try(add) != nil)
			})
		}
		is.Equal(w.coursesOf(g), nil) // the valid course was not added either
	})

	t.Run("RemoveCourses removes the courses from the group and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing, dancing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID, w.addCourse("Dancing").ID
		g, other := w.addGroup("Painters", drawing, singing, dancing).ID, w.addGroup("Singers", drawing).ID
		before := w.all()
		none := w.newCourse("None").ID
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
			is.Equal(w.removeCourses(g, step.ids...), step.removed)
		}
		is.Equal(w.removeCourses(w.newGroup("None").ID, drawing), 0) // an unknown group has no courses
		is.Equal(w.coursesOf(g), []course.ID{dancing})
		is.Equal(w.coursesOf(other), []course.ID{drawing})
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("Removed courses can be added again", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing").ID
		g := w.addGroup("Painters", drawing).ID
		is.Equal(w.removeCourses(g, drawing), 1)
		put, err := w.tryAddCourses(g, drawing)
		is.NoErr(err)
		is.Equal(put, 1)
		is.Equal(w.coursesOf(g), []course.ID{drawing})
	})

	t.Run("Several changes in one transaction are combined and rolled back together", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing, dancing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID, w.addCourse("Dancing").ID
		g := w.addGroup("Painters", drawing, singing).ID
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
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := change(ctx, tx); err != nil {
				return err
			}
			return errDropped
		})
		is.True(err != nil)
		is.Equal(during[g], []course.ID{singing, dancing}) // the transaction sees its writes
		is.Equal(w.coursesOf(g), []course.ID{drawing, singing})
		is.NoErr(w.try(change))
		is.Equal(w.coursesOf(g), []course.ID{singing, dancing})
	})
}

// coursesOf returns the ids of the group's courses, sorted.
func (s tenant) coursesOf(id group.ID) []course.ID {
	s.t.Helper()
	var held map[group.ID][]course.ID
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		held, err = tx.Groups.CourseIDs(ctx, []group.ID{id})
		return err
	})
	return held[id]
}

// tryAddCourses adds courses to the group after locking it, as AddCourses requires.
func (s tenant) tryAddCourses(id group.ID, courses ...course.ID) (put int, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.GetForUpdate(ctx, id); err != nil {
			return err
		}
		put, err = tx.Groups.AddCourses(ctx, id, slices.Clone(courses))
		return err
	})
	return put, err
}

// removeCourses removes courses from the group and returns how many it removed.
func (s tenant) removeCourses(id group.ID, courses ...course.ID) int {
	s.t.Helper()
	var removed int
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		removed, err = tx.Groups.RemoveCourses(ctx, id, courses)
		return err
	})
	return removed
}
