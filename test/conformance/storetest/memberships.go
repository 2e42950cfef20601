package storetest

import (
	"context"
	"math"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// memberships tests ports.MembershipReader and ports.MembershipRepo except for lists.
// group_counts.go tests the counts that are derived from memberships.
func memberships(t *testing.T, b Backend) {
	t.Run("Get returns the membership", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID
		for _, want := range []membership.Membership{
			w.addMembership(ada, painters, membership.Member), w.addMembership(ada, painters, membership.Manager),
		} {
			got, err := w.read().Memberships.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
			w.do(func(ctx context.Context, tx ports.Tx) (err error) {
				got, err = tx.Memberships.Get(ctx, want.ID)
				return err
			})
			is.Equal(diff(got, want), "")
		}
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID
		w.addMembership(ada, painters, membership.Member)
		_, err := w.read().Memberships.Get(w.ctx(), w.newMembership(ada, painters, membership.Manager).ID)
		is.True(isNotFound(err))
	})

	t.Run("The list of a group contains both roles and no other group's memberships", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, alan := w.addPerson("ada@example.test").ID, w.addPerson("alan@example.test").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		first := w.addMembership(ada, painters, membership.Member)
		w.addMembership(ada, singers, membership.Member)
		second := w.addMembership(alan, painters, membership.Manager)
		list, err := w.read().Memberships.List(w.ctx(), query.Query{}.And(query.Cond{
			Attr: membership.Schema.Attr("group.id"), Op: query.Eq, Values: []query.Value{{ID: painters.UUID}},
		}))
		is.NoErr(err)
		is.Equal(diff(list.Items, []membership.Membership{second, first}), "") // newest first
		is.True(!list.More)
	})

	t.Run("MemberIDs returns the members (not managers) of the group, by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		first, second := w.addPerson("zoe@example.test").ID, w.addPerson("ada@example.test").ID
		manager := w.addPerson("alan@example.test").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		w.addMembership(second, painters, membership.Member)
		w.addMembership(second, painters, membership.Manager)
		w.addMembership(manager, painters, membership.Manager)
		w.addMembership(manager, singers, membership.Member)
		w.addMembership(first, painters, membership.Member)
		want := []person.ID{first, second}
		is.Equal(w.membersOf(painters), want)
		var got []person.ID
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Memberships.MemberIDs(ctx, painters)
			return err
		})
		is.Equal(got, want)
	})

	t.Run("MemberIDs returns nothing for an unknown or empty group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		w.addMembership(ada, w.addGroup("Painters").ID, membership.Member)
		managed := w.addGroup("Singers").ID
		w.addMembership(ada, managed, membership.Manager)
		is.Equal(len(w.membersOf(managed)), 0)
		is.Equal(len(w.membersOf(w.newGroup("None").ID)), 0)
	})

	t.Run("AddIfAbsent inserts the new memberships and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		old := w.newMembership(ada, painters, membership.Member)
		is.Equal(w.tryAddMemberships(old), 1)

		again := w.newMembership(ada, painters, membership.Member)
		otherRole := w.newMembership(ada, painters, membership.Manager)
		otherGroup := w.newMembership(ada, singers, membership.Member)
		otherPerson := w.newMembership(grace, painters, membership.Member)
		is.Equal(w.tryAddMemberships(again, otherRole, otherGroup, otherPerson), 3)
		want := []membership.Membership{otherPerson, otherGroup, otherRole, old}
		is.Equal(diff(w.all().Memberships, want), "")

		is.Equal(w.tryAddMemberships(again, otherRole), 0)
		is.Equal(w.tryAddMemberships(), 0)
		is.Equal(diff(w.all().Memberships, want), "")
	})

	t.Run("AddIfAbsent inserts one of several equal records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID
		one := w.newMembership(ada, painters, membership.Member)
		two := w.newMembership(ada, painters, membership.Member)
		is.Equal(w.tryAddMemberships(one, two), 1)
		got := w.all().Memberships
		is.Equal(len(got), 1)
		is.True(diff(got[0], one) == "" || diff(got[0], two) == "")
	})

	t.Run("AddIfAbsent returns an error for an unknown person or group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID
		good := w.newMembership(ada, painters, membership.Member)
		before := w.all()
		for _, bad := range []membership.Membership{
			w.newMembership(w.newPerson("grace@example.test").ID, painters, membership.Member),
			w.newMembership(ada, w.newGroup("Singers").ID, membership.Manager),
		} {
			err := w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Memberships.AddIfAbsent(ctx, []membership.Membership{good, bad}))
			})
			is.True(err != nil)
			is.Equal(diff(w.all(), before), "") // the valid membership was not added either
		}
	})

	t.Run("AddIfAbsent does not enroll the members", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		w.addMembership(ada, w.addGroup("Painters", drawing).ID, membership.Member)
		is.Equal(len(w.enrollmentsOf(ada)), 0)
	})

	t.Run("RemovePeople deletes the people's memberships in the group with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace, alan := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID, w.addPerson("alan@example.test").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		w.addMembership(ada, painters, membership.Member)
		w.addMembership(grace, painters, membership.Member)
		others := w.addMembership(alan, painters, membership.Member)
		manages := w.addMembership(ada, painters, membership.Manager)
		elsewhere := w.addMembership(ada, singers, membership.Member)
		is.Equal(w.removePeople(painters, membership.Member, ada, grace), 2)
		is.Equal(diff(w.all().Memberships, []membership.Membership{elsewhere, manages, others}), "")
		is.Equal(w.removePeople(painters, membership.Manager, ada, alan), 1)
		is.Equal(diff(w.all().Memberships, []membership.Membership{elsewhere, others}), "")
	})

	t.Run("Removing unknown records is ignored", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		painters, none := w.addGroup("Painters").ID, w.newPerson("alan@example.test").ID
		w.addMembership(ada, painters, membership.Member)
		is.Equal(w.removePeople(painters, membership.Member), 0)
		is.Equal(w.removePeople(painters, membership.Manager, ada), 0)
		is.Equal(w.removePeople(w.newGroup("Singers").ID, membership.Member, ada), 0)
		is.Equal(w.removePeople(painters, membership.Member, none, grace, ada, ada), 1)
		is.Equal(w.removePeople(painters, membership.Member, ada), 0)
	})

	t.Run("RemoveFromGroups deletes the person's memberships in the groups with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		painters, singers, actors := w.addGroup("Painters").ID, w.addGroup("Singers").ID, w.addGroup("Actors").ID
		w.addMembership(ada, painters, membership.Member)
		w.addMembership(ada, singers, membership.Member)
		elsewhere := w.addMembership(ada, actors, membership.Member)
		manages := w.addMembership(ada, painters, membership.Manager)
		others := w.addMembership(grace, painters, membership.Member)
		is.Equal(w.removeFromGroups(ada, membership.Member, painters, singers), 2)
		is.Equal(diff(w.all().Memberships, []membership.Membership{others, manages, elsewhere}), "")
		is.Equal(w.all().People[0].GroupCount, int64(1))
		is.Equal(w.removeFromGroups(ada, membership.Manager, painters, actors), 1)
		is.Equal(diff(w.all().Memberships, []membership.Membership{others, elsewhere}), "")
	})

	t.Run("RemoveFromGroups ignores unknown memberships", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters, singers := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID, w.addGroup("Singers").ID
		w.addMembership(ada, painters, membership.Member)
		is.Equal(w.removeFromGroups(ada, membership.Member), 0)
		is.Equal(w.removeFromGroups(w.newPerson("alan@example.test").ID, membership.Member, painters), 0)
		is.Equal(w.removeFromGroups(ada, membership.Member, singers, w.newGroup("None").ID, painters, painters), 1)
		is.Equal(w.removeFromGroups(ada, membership.Member, painters), 0)
	})

	t.Run("Removed records can be added again", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID
		w.addMembership(ada, painters, membership.Member)
		is.Equal(w.removePeople(painters, membership.Member, ada), 1)
		again := w.newMembership(ada, painters, membership.Member)
		is.Equal(w.tryAddMemberships(again), 1)
		is.Equal(diff(w.all().Memberships, []membership.Membership{again}), "")
	})

	t.Run("Delete deletes the membership, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters").ID
		member, manager := w.addMembership(ada, painters, membership.Member), w.addMembership(ada, painters, membership.Manager)
		is.NoErr(w.tryLeave(member.ID))
		is.Equal(diff(w.all().Memberships, []membership.Membership{manager}), "")
		is.True(isNotFound(w.tryLeave(member.ID)))
		is.NoErr(w.tryLeave(manager.ID))
		is.Equal(len(w.all().Memberships), 0)
		is.Equal(w.tryAddMemberships(w.newMembership(ada, painters, membership.Member)), 1) // a deleted membership can be added again
	})

	t.Run("DeleteByPerson deletes all memberships of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		w.addMembership(ada, painters, membership.Member)
		w.addMembership(ada, painters, membership.Manager)
		w.addMembership(ada, singers, membership.Member)
		others := w.addMembership(grace, painters, membership.Member)
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.DeleteByPerson(ctx, ada) })
			is.Equal(diff(w.all().Memberships, []membership.Membership{others}), "")
		}
	})

	t.Run("DeleteByGroup deletes all memberships of the group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		w.addMembership(ada, painters, membership.Member)
		w.addMembership(ada, painters, membership.Manager)
		w.addMembership(grace, painters, membership.Member)
		others := w.addMembership(ada, singers, membership.Member)
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Memberships.DeleteByGroup(ctx, painters, math.MaxInt32))
			})
			is.Equal(diff(w.all().Memberships, []membership.Membership{others}), "")
		}
	})
}

// membersOf returns the ids of the group's members, sorted.
func (s tenant) membersOf(id group.ID) []person.ID {
	s.t.Helper()
	people, err := s.read().Memberships.MemberIDs(s.ctx(), id)
	s.must(err)
	return people
}

// removePeople deletes the people's memberships with the role and returns how many it deleted.
func (s tenant) removePeople(g group.ID, role membership.Role, people ...person.ID) int {
	s.t.Helper()
	var removed int
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		removed, err = tx.Memberships.RemovePeople(ctx, g, role, people)
		return err
	})
	return removed
}

// removeFromGroups deletes the person's memberships with the role and returns how many it deleted.
func (s tenant) removeFromGroups(p person.ID, role membership.Role, groups ...group.ID) int {
	s.t.Helper()
	var removed int
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		removed, err = tx.Memberships.RemoveFromGroups(ctx, p, role, groups)
		return err
	})
	return removed
}

// tryLeave deletes a membership.
func (s tenant) tryLeave(id membership.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.Delete(ctx, id) })
}
