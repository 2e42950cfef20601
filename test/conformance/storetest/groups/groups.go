package groups

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Groups tests ports.GroupReader and ports.GroupRepo except for their lists and the courses of
// groups, which courses.go tests.
func Groups(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, alan := w.AddPerson("ada@example.test").ID, w.AddPerson("alan@example.test").ID
		g, other := w.AddGroup("Painters"), w.AddGroup("Singers")
		w.AddMembership(ada, g.ID, membership.Member)
		w.AddMembership(alan, g.ID, membership.Manager)
		want := group.Summary{State: g, MembershipCount: 1}
		is.Equal(fixture.Diff(w.Group(g.ID), want), "")
		is.Equal(fixture.Diff(w.Group(other.ID), group.Summary{State: other}), "")
		var got group.Summary
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Groups.Get(ctx, g.ID)
			return err
		})
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddGroup("Painters")
		_, err := w.Read().Groups.Get(w.Context(), w.NewGroup("Singers").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetForUpdate returns the group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		painters, singers := w.AddGroup("Painters"), w.AddGroup("Singers")
		for _, want := range []group.State{singers, painters} {
			got, err := w.GroupForUpdate(want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddGroup("Painters")
		_, err := w.GroupForUpdate(w.NewGroup("Singers").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetManyForShare returns the groups by id and omits unknown ids", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		painters, singers, dancers := w.AddGroup("Painters"), w.AddGroup("Singers"), w.AddGroup("Dancers")
		none := w.NewGroup("None").ID
		tests := []struct {
			name string
			ids  []group.ID
			want []group.State
		}{
			{"no ids", nil, nil},
			{"one", []group.ID{singers.ID}, []group.State{singers}},
			{"several", []group.ID{dancers.ID, painters.ID}, []group.State{dancers, painters}},
			{"one id twice", []group.ID{painters.ID, singers.ID, painters.ID}, []group.State{painters, singers}},
			{"an unknown id", []group.ID{none, painters.ID}, []group.State{painters}},
			{"only unknown ids", []group.ID{none}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				got, err := groupsForShare(w.Tenant, tt.ids...)
				is.NoErr(err)
				want := map[group.ID]group.State{}
				for _, g := range tt.want {
					want[g.ID] = g
				}
				is.Equal(fixture.Diff(got, want), "")
			})
		}
	})

	t.Run("Add inserts the group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.NewGroup("Painters")
		is.NoErr(w.TryAddGroup(want))
		is.Equal(fixture.Diff(w.All().Groups, []group.Summary{{State: want}}), "")
	})

	t.Run("A name with the unique key of another group is Invalid on the field name, with that group as the holder", func(t *testing.T) {
		for _, tt := range fixture.SameKeys {
			t.Run(tt.Held+" "+tt.Wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddGroup("Other")
				holder := w.AddGroup(tt.Held)
				err := w.TryAddGroup(w.NewGroup(tt.Wanted))
				is.Equal(fixture.DiffTaken(err, "name", group.Type, holder.ID), "")
			})
		}
	})

	t.Run("A name with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range fixture.DifferentKeys {
			t.Run(tt.Held+" "+tt.Wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddGroup(tt.Held)
				is.NoErr(w.TryAddGroup(w.NewGroup(tt.Wanted)))
			})
		}
	})

	t.Run("A group can have the name of a category or a course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCategory("Design")
		w.AddCourse("Design")
		is.NoErr(w.TryAddGroup(w.NewGroup("Design")))
	})

	t.Run("Save updates the group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing")
		g, other := w.AddGroup("Painters", drawing.ID), w.AddGroup("Singers")
		joined := w.AddMembership(w.AddPerson("ada@example.test").ID, g.ID, membership.Member)
		g.Name, g.UpdatedAt = "Artists", w.NextTime()
		is.NoErr(w.TrySaveGroup(g))
		is.Equal(fixture.Diff(w.All().Groups, []group.Summary{{State: g, MembershipCount: 1}, {State: other}}), "")
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{joined}), "") // memberships and courses remain
		is.Equal(w.CoursesOf(g.ID), []course.ID{drawing.ID})
	})

	t.Run("Save returns the same faults as Add for names", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g, holder := w.AddGroup("Design"), w.AddGroup("Musée")
		g.Name = "MUSÉE"
		is.Equal(fixture.DiffTaken(w.TrySaveGroup(g), "name", group.Type, holder.ID), "")
		g.Name = "Musee"
		is.NoErr(w.TrySaveGroup(g))
	})

	t.Run("Save accepts the group's own name, also in another case", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.AddGroup("Design")
		for _, name := range []string{"Design", "DESIGN"} {
			g.Name = name
			is.NoErr(w.TrySaveGroup(g))
		}
		is.Equal(fixture.Diff(w.All().Groups, []group.Summary{{State: g}}), "")
	})

	t.Run("Save returns NotFound for an unknown group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.True(fixture.IsNotFound(w.TrySaveGroup(w.NewGroup("Painters"))))
		is.Equal(len(w.All().Groups), 0)
	})

	t.Run("A former name is free", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		renamed, removed := w.AddGroup("Design"), w.AddGroup("Music")
		renamed.Name = "Drawing"
		is.NoErr(w.TrySaveGroup(renamed))
		is.NoErr(w.TryDeleteGroup(removed.ID))
		is.NoErr(w.TryAddGroup(w.NewGroup("design")))
		is.NoErr(w.TryAddGroup(w.NewGroup("music")))
	})

	t.Run("Delete deletes the group and the list of its courses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing")
		g, other := w.AddGroup("Painters", drawing.ID), w.AddGroup("Singers", drawing.ID)
		courses := w.All().Courses
		is.NoErr(w.TryDeleteGroup(g.ID))
		_, err := w.Read().Groups.Get(w.Context(), g.ID)
		is.True(fixture.IsNotFound(err))
		is.Equal(fixture.Diff(w.All().Groups, []group.Summary{{State: other}}), "")
		is.Equal(fixture.Diff(w.All().Courses, courses), "") // the courses remain
		is.Equal(w.CoursesOf(other.ID), []course.ID{drawing.ID})
		is.NoErr(w.TryAddGroup(g)) // added again, without courses
		is.Equal(w.CoursesOf(g.ID), nil)
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.AddGroup("Painters")
		is.NoErr(w.TryDeleteGroup(g.ID))
		is.True(fixture.IsNotFound(w.TryDeleteGroup(g.ID)))
	})

	t.Run("Delete returns an error while memberships of the group exist", func(t *testing.T) {
		for _, role := range membership.Roles() {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				g := w.AddGroup("Painters", w.AddCourse("Drawing").ID)
				w.AddMembership(w.AddPerson("ada@example.test").ID, g.ID, role)
				before := w.All()
				err := w.TryDeleteGroup(g.ID)
				is.True(err != nil)
				is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
				is.Equal(fixture.Diff(w.All(), before), "")
				is.Equal(len(w.CoursesOf(g.ID)), 1) // the courses of the group remain too
				is.NoErr(w.DeleteGroup(g.ID))
				is.Equal(len(w.All().Groups), 0)
			})
		}
	})
}

// groupsForShare returns the states of the groups that GetManyForShare returns.
func groupsForShare(s fixture.Tenant, ids ...group.ID) (map[group.ID]group.State, error) {
	states := map[group.ID]group.State{}
	err := s.Try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Groups.GetManyForShare(ctx, slices.Clone(ids))
		clear(states)
		for id, g := range found {
			states[id] = g.State()
		}
		return err
	})
	return states, err
}
