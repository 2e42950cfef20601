package storetest

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
)

// groups tests ports.GroupReader and ports.GroupRepo except for their lists and the courses of
// groups, which group_courses.go tests.
func groups(t *testing.T, b Backend) {
	t.Run("Get returns the group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, alan := w.addPerson("ada@example.test").ID, w.addPerson("alan@example.test").ID
		g, other := w.addGroup("Painters"), w.addGroup("Singers")
		w.addMembership(ada, g.ID, membership.Member)
		w.addMembership(alan, g.ID, membership.Manager)
		want := group.Summary{State: g, MembershipCount: 1}
		is.Equal(diff(w.group(g.ID), want), "")
		is.Equal(diff(w.group(other.ID), group.Summary{State: other}), "")
		var got group.Summary
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Groups.Get(ctx, g.ID)
			return err
		})
		is.Equal(diff(got, want), "")
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addGroup("Painters")
		_, err := w.read().Groups.Get(w.ctx(), w.newGroup("Singers").ID)
		is.True(isNotFound(err))
	})

	t.Run("GetForUpdate returns the group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		painters, singers := w.addGroup("Painters"), w.addGroup("Singers")
		for _, want := range []group.State{singers, painters} {
			got, err := w.groupForUpdate(want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addGroup("Painters")
		_, err := w.groupForUpdate(w.newGroup("Singers").ID)
		is.True(isNotFound(err))
	})

	t.Run("GetManyForShare returns the groups by id and omits unknown ids", func(t *testing.T) {
		w := newWorld(t, b)
		painters, singers, dancers := w.addGroup("Painters"), w.addGroup("Singers"), w.addGroup("Dancers")
		none := w.newGroup("None").ID
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
				got, err := w.groupsForShare(tt.ids...)
				is.NoErr(err)
				want := map[group.ID]group.State{}
				for _, g := range tt.want {
					want[g.ID] = g
				}
				is.Equal(diff(got, want), "")
			})
		}
	})

	t.Run("Add inserts the group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.newGroup("Painters")
		is.NoErr(w.tryAddGroup(want))
		is.Equal(diff(w.all().Groups, []group.Summary{{State: want}}), "")
	})

	t.Run("A name with the unique key of another group is Invalid on the field name, with that group as the holder", func(t *testing.T) {
		for _, tt := range sameKeys {
			t.Run(tt.held+" "+tt.wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addGroup("Other")
				holder := w.addGroup(tt.held)
				err := w.tryAddGroup(w.newGroup(tt.wanted))
				is.Equal(diffTaken(err, "name", group.Type, holder.ID), "")
			})
		}
	})

	t.Run("A name with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range differentKeys {
			t.Run(tt.held+" "+tt.wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addGroup(tt.held)
				is.NoErr(w.tryAddGroup(w.newGroup(tt.wanted)))
			})
		}
	})

	t.Run("A group can have the name of a category or a course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCategory("Design")
		w.addCourse("Design")
		is.NoErr(w.tryAddGroup(w.newGroup("Design")))
	})

	t.Run("Save updates the group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing")
		g, other := w.addGroup("Painters", drawing.ID), w.addGroup("Singers")
		joined := w.addMembership(w.addPerson("ada@example.test").ID, g.ID, membership.Member)
		g.Name, g.UpdatedAt = "Artists", w.nextTime()
		is.NoErr(w.trySaveGroup(g))
		is.Equal(diff(w.all().Groups, []group.Summary{{State: g, MembershipCount: 1}, {State: other}}), "")
		is.Equal(diff(w.all().Memberships, []membership.Membership{joined}), "") // memberships and courses remain
		is.Equal(w.coursesOf(g.ID), []course.ID{drawing.ID})
	})

	t.Run("Save returns the same faults as Add for names", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g, holder := w.addGroup("Design"), w.addGroup("Musée")
		g.Name = "MUSÉE"
		is.Equal(diffTaken(w.trySaveGroup(g), "name", group.Type, holder.ID), "")
		g.Name = "Musee"
		is.NoErr(w.trySaveGroup(g))
	})

	t.Run("Save accepts the group's own name, also in another case", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.addGroup("Design")
		for _, name := range []string{"Design", "DESIGN"} {
			g.Name = name
			is.NoErr(w.trySaveGroup(g))
		}
		is.Equal(diff(w.all().Groups, []group.Summary{{State: g}}), "")
	})

	t.Run("Save returns NotFound for an unknown group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.True(isNotFound(w.trySaveGroup(w.newGroup("Painters"))))
		is.Equal(len(w.all().Groups), 0)
	})

	t.Run("A former name is free", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		renamed, removed := w.addGroup("Design"), w.addGroup("Music")
		renamed.Name = "Drawing"
		is.NoErr(w.trySaveGroup(renamed))
		is.NoErr(w.tryDeleteGroup(removed.ID))
		is.NoErr(w.tryAddGroup(w.newGroup("design")))
		is.NoErr(w.tryAddGroup(w.newGroup("music")))
	})

	t.Run("Delete deletes the group and the list of its courses", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing")
		g, other := w.addGroup("Painters", drawing.ID), w.addGroup("Singers", drawing.ID)
		courses := w.all().Courses
		is.NoErr(w.tryDeleteGroup(g.ID))
		_, err := w.read().Groups.Get(w.ctx(), g.ID)
		is.True(isNotFound(err))
		is.Equal(diff(w.all().Groups, []group.Summary{{State: other}}), "")
		is.Equal(diff(w.all().Courses, courses), "") // the courses remain
		is.Equal(w.coursesOf(other.ID), []course.ID{drawing.ID})
		is.NoErr(w.tryAddGroup(g)) // added again, without courses
		is.Equal(w.coursesOf(g.ID), nil)
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.addGroup("Painters")
		is.NoErr(w.tryDeleteGroup(g.ID))
		is.True(isNotFound(w.tryDeleteGroup(g.ID)))
	})

	t.Run("Delete returns an error while memberships of the group exist", func(t *testing.T) {
		for _, role := range membership.Roles() {
			t.Run(role.String(), func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				g := w.addGroup("Painters", w.addCourse("Drawing").ID)
				w.addMembership(w.addPerson("ada@example.test").ID, g.ID, role)
				before := w.all()
				err := w.tryDeleteGroup(g.ID)
				is.True(err != nil)
				is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
				is.Equal(diff(w.all(), before), "")
				is.Equal(len(w.coursesOf(g.ID)), 1) // the courses of the group remain too
				is.NoErr(w.deleteGroup(g.ID))
				is.Equal(len(w.all().Groups), 0)
			})
		}
	})
}

// groupForUpdate returns a group as GetForUpdate returns it.
func (s tenant) groupForUpdate(id group.ID) (group.State, error) {
	var g group.Group
	err := s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		g, err = tx.Groups.GetForUpdate(ctx, id)
		return err
	})
	return g.State(), err
}

// groupsForShare returns the states of the groups that GetManyForShare returns.
func (s tenant) groupsForShare(ids ...group.ID) (map[group.ID]group.State, error) {
	states := map[group.ID]group.State{}
	err := s.try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Groups.GetManyForShare(ctx, slices.Clone(ids))
		clear(states)
		for id, g := range found {
			states[id] = g.State()
		}
		return err
	})
	return states, err
}

// tryAddGroup adds a group.
func (s tenant) tryAddGroup(g group.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Groups.Add(ctx, group.Restore(g)) })
}

// trySaveGroup saves an existing group.
func (s tenant) trySaveGroup(g group.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Groups.Save(ctx, group.Restore(g)) })
}

// tryDeleteGroup deletes a group.
func (s tenant) tryDeleteGroup(id group.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Groups.Delete(ctx, id) })
}
