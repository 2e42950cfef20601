package groups

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
	"lyceum/test/conformance/storetest/fixture"
)

// Memberships tests ports.MembershipReader and ports.MembershipRepo except for lists.
// Package counts tests the counts that are derived from memberships.
func Memberships(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the membership", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID
		for _, want := range []membership.Membership{
			w.AddMembership(ada, painters, membership.Member), w.AddMembership(ada, painters, membership.Manager),
		} {
			got, err := w.Read().Memberships.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
			w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
				got, err = tx.Memberships.Get(ctx, want.ID)
				return err
			})
			is.Equal(fixture.Diff(got, want), "")
		}
	})

	t.Run("Get returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID
		w.AddMembership(ada, painters, membership.Member)
		_, err := w.Read().Memberships.Get(w.Context(), w.NewMembership(ada, painters, membership.Manager).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("The list of a group contains both roles and no other group's memberships", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, alan := w.AddPerson("ada@example.test").ID, w.AddPerson("alan@example.test").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		first := w.AddMembership(ada, painters, membership.Member)
		w.AddMembership(ada, singers, membership.Member)
		second := w.AddMembership(alan, painters, membership.Manager)
		list, err := w.Read().Memberships.List(w.Context(), query.Query{}.And(query.Cond{
			Attr: membership.Schema.Attr("group.id"), Op: query.Eq, Values: []query.Value{{ID: painters.UUID}},
		}))
		is.NoErr(err)
		is.Equal(fixture.Diff(list.Items, []membership.Membership{second, first}), "") // newest first
		is.True(!list.More)
	})

	t.Run("MemberIDs returns the members (not managers) of the group, by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		first, second := w.AddPerson("zoe@example.test").ID, w.AddPerson("ada@example.test").ID
		manager := w.AddPerson("alan@example.test").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		w.AddMembership(second, painters, membership.Member)
		w.AddMembership(second, painters, membership.Manager)
		w.AddMembership(manager, painters, membership.Manager)
		w.AddMembership(manager, singers, membership.Member)
		w.AddMembership(first, painters, membership.Member)
		want := []person.ID{first, second}
		is.Equal(w.MembersOf(painters), want)
		var got []person.ID
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Memberships.MemberIDs(ctx, painters)
			return err
		})
		is.Equal(got, want)
	})

	t.Run("MemberIDs returns nothing for an unknown or empty group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		w.AddMembership(ada, w.AddGroup("Painters").ID, membership.Member)
		managed := w.AddGroup("Singers").ID
		w.AddMembership(ada, managed, membership.Manager)
		is.Equal(len(w.MembersOf(managed)), 0)
		is.Equal(len(w.MembersOf(w.NewGroup("None").ID)), 0)
	})

	t.Run("AddIfAbsent inserts the new memberships and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		old := w.NewMembership(ada, painters, membership.Member)
		is.Equal(w.TryAddMemberships(old), 1)

		again := w.NewMembership(ada, painters, membership.Member)
		otherRole := w.NewMembership(ada, painters, membership.Manager)
		otherGroup := w.NewMembership(ada, singers, membership.Member)
		otherPerson := w.NewMembership(grace, painters, membership.Member)
		is.Equal(w.TryAddMemberships(again, otherRole, otherGroup, otherPerson), 3)
		want := []membership.Membership{otherPerson, otherGroup, otherRole, old}
		is.Equal(fixture.Diff(w.All().Memberships, want), "")

		is.Equal(w.TryAddMemberships(again, otherRole), 0)
		is.Equal(w.TryAddMemberships(), 0)
		is.Equal(fixture.Diff(w.All().Memberships, want), "")
	})

	t.Run("AddIfAbsent inserts one of several equal records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID
		one := w.NewMembership(ada, painters, membership.Member)
		two := w.NewMembership(ada, painters, membership.Member)
		is.Equal(w.TryAddMemberships(one, two), 1)
		got := w.All().Memberships
		is.Equal(len(got), 1)
		is.True(fixture.Diff(got[0], one) == "" || fixture.Diff(got[0], two) == "")
	})

	t.Run("AddIfAbsent returns an error for an unknown person or group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID
		good := w.NewMembership(ada, painters, membership.Member)
		before := w.All()
		for _, bad := range []membership.Membership{
			w.NewMembership(w.NewPerson("grace@example.test").ID, painters, membership.Member),
			w.NewMembership(ada, w.NewGroup("Singers").ID, membership.Manager),
		} {
			err := w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Memberships.AddIfAbsent(ctx, []membership.Membership{good, bad}))
			})
			is.True(err != nil)
			is.Equal(fixture.Diff(w.All(), before), "") // the valid membership was not added either
		}
	})

	t.Run("AddIfAbsent does not enroll the members", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID
		w.AddMembership(ada, w.AddGroup("Painters", drawing).ID, membership.Member)
		is.Equal(len(w.EnrollmentsOf(ada)), 0)
	})

	t.Run("RemovePeople deletes the people's memberships in the group with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace, alan := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID, w.AddPerson("alan@example.test").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		w.AddMembership(ada, painters, membership.Member)
		w.AddMembership(grace, painters, membership.Member)
		others := w.AddMembership(alan, painters, membership.Member)
		manages := w.AddMembership(ada, painters, membership.Manager)
		elsewhere := w.AddMembership(ada, singers, membership.Member)
		is.Equal(w.RemovePeople(painters, membership.Member, ada, grace), 2)
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{elsewhere, manages, others}), "")
		is.Equal(w.RemovePeople(painters, membership.Manager, ada, alan), 1)
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{elsewhere, others}), "")
	})

	t.Run("Removing unknown records is ignored", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		painters, none := w.AddGroup("Painters").ID, w.NewPerson("alan@example.test").ID
		w.AddMembership(ada, painters, membership.Member)
		is.Equal(w.RemovePeople(painters, membership.Member), 0)
		is.Equal(w.RemovePeople(painters, membership.Manager, ada), 0)
		is.Equal(w.RemovePeople(w.NewGroup("Singers").ID, membership.Member, ada), 0)
		is.Equal(w.RemovePeople(painters, membership.Member, none, grace, ada, ada), 1)
		is.Equal(w.RemovePeople(painters, membership.Member, ada), 0)
	})

	t.Run("RemoveFromGroups deletes the person's memberships in the groups with the role and returns their number", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		painters, singers, actors := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID, w.AddGroup("Actors").ID
		w.AddMembership(ada, painters, membership.Member)
		w.AddMembership(ada, singers, membership.Member)
		elsewhere := w.AddMembership(ada, actors, membership.Member)
		manages := w.AddMembership(ada, painters, membership.Manager)
		others := w.AddMembership(grace, painters, membership.Member)
		is.Equal(removeFromGroups(w.Tenant, ada, membership.Member, painters, singers), 2)
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{others, manages, elsewhere}), "")
		is.Equal(w.All().People[0].GroupCount, int64(1))
		is.Equal(removeFromGroups(w.Tenant, ada, membership.Manager, painters, actors), 1)
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{others, elsewhere}), "")
	})

	t.Run("RemoveFromGroups ignores unknown memberships", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters, singers := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		w.AddMembership(ada, painters, membership.Member)
		is.Equal(removeFromGroups(w.Tenant, ada, membership.Member), 0)
		is.Equal(removeFromGroups(w.Tenant, w.NewPerson("alan@example.test").ID, membership.Member, painters), 0)
		is.Equal(removeFromGroups(w.Tenant, ada, membership.Member, singers, w.NewGroup("None").ID, painters, painters), 1)
		is.Equal(removeFromGroups(w.Tenant, ada, membership.Member, painters), 0)
	})

	t.Run("Removed records can be added again", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID
		w.AddMembership(ada, painters, membership.Member)
		is.Equal(w.RemovePeople(painters, membership.Member, ada), 1)
		again := w.NewMembership(ada, painters, membership.Member)
		is.Equal(w.TryAddMemberships(again), 1)
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{again}), "")
	})

	t.Run("Delete deletes the membership, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters").ID
		member, manager := w.AddMembership(ada, painters, membership.Member), w.AddMembership(ada, painters, membership.Manager)
		is.NoErr(w.TryLeave(member.ID))
		is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{manager}), "")
		is.True(fixture.IsNotFound(w.TryLeave(member.ID)))
		is.NoErr(w.TryLeave(manager.ID))
		is.Equal(len(w.All().Memberships), 0)
		is.Equal(w.TryAddMemberships(w.NewMembership(ada, painters, membership.Member)), 1) // a deleted membership can be added again
	})

	t.Run("DeleteByPerson deletes all memberships of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		w.AddMembership(ada, painters, membership.Member)
		w.AddMembership(ada, painters, membership.Manager)
		w.AddMembership(ada, singers, membership.Member)
		others := w.AddMembership(grace, painters, membership.Member)
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.DeleteByPerson(ctx, ada) })
			is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{others}), "")
		}
	})

	t.Run("DeleteByGroup deletes all memberships of the group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		w.AddMembership(ada, painters, membership.Member)
		w.AddMembership(ada, painters, membership.Manager)
		w.AddMembership(grace, painters, membership.Member)
		others := w.AddMembership(ada, singers, membership.Member)
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Memberships.DeleteByGroup(ctx, painters, math.MaxInt32))
			})
			is.Equal(fixture.Diff(w.All().Memberships, []membership.Membership{others}), "")
		}
	})
}

// removeFromGroups deletes the person's memberships with the role and returns how many it deleted.
func removeFromGroups(s fixture.Tenant, p person.ID, role membership.Role, groups ...group.ID) int {
	s.T.Helper()
	var removed int
	s.Do(func(ctx context.Context, tx ports.Tx) (err error) {
		removed, err = tx.Memberships.RemoveFromGroups(ctx, p, role, groups)
		return err
	})
	return removed
}
