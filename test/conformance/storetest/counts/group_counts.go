package counts

import (
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// GroupCounts tests the counts that are derived from memberships as member. After every transaction
// they must be correct in results, in filters and as sort keys.
func GroupCounts(t *testing.T, b fixture.Backend) {
	t.Run("Members are counted, managers are not", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		s.expect([3]int64{0, 0, 0}, [3]int64{0, 0, 0})
		w.AddMembership(s.people[0], s.groups[0], membership.Member)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.AddMembership(s.people[0], s.groups[1], membership.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.AddMembership(s.people[0], s.groups[0], membership.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Several memberships added at once are counted, ignored ones are not", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		w.TryAddMemberships(s.allMemberships()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		w.TryAddMemberships(s.allMemberships()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		twice := append(s.allMemberships(), s.allMemberships()...)
		w.RemovePeople(s.groups[1], membership.Member, s.people[:]...)
		s.expect([3]int64{3, 0, 3}, [3]int64{2, 2, 2})
		w.TryAddMemberships(twice...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
	})

	t.Run("Removed memberships are not counted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		all := s.allMemberships() // ordered by person, then by group
		w.TryAddMemberships(all...)
		manages := w.AddMembership(s.people[2], s.groups[2], membership.Manager)
		w.RemovePeople(s.groups[0], membership.Member, s.people[0], s.people[1])
		s.expect([3]int64{1, 3, 3}, [3]int64{2, 2, 3})
		w.RemovePeople(s.groups[0], membership.Member, s.people[0], s.people[1])
		s.expect([3]int64{1, 3, 3}, [3]int64{2, 2, 3})
		is.NoErr(w.TryLeave(manages.ID))
		s.expect([3]int64{1, 3, 3}, [3]int64{2, 2, 3})
		is.NoErr(w.TryLeave(all[8].ID))
		s.expect([3]int64{1, 3, 2}, [3]int64{2, 2, 2})
	})

	t.Run("Deleted people are not counted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		w.TryAddMemberships(s.allMemberships()...)
		w.AddMembership(s.people[1], s.groups[0], membership.Manager)
		w.AddMembership(s.people[0], s.groups[1], membership.Manager)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.DeleteByPerson(ctx, s.people[1]) })
		s.expect([3]int64{2, 2, 2}, [3]int64{3, 0, 3})
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Memberships.DeleteByGroup(ctx, s.groups[1], math.MaxInt32))
		})
		s.expect([3]int64{2, 0, 2}, [3]int64{2, 0, 2})

		is.NoErr(w.DeletePerson(s.people[0]))
		is.Equal(w.Group(s.groups[0]).MembershipCount, int64(1))
		is.Equal(w.Group(s.groups[2]).MembershipCount, int64(1))
		is.NoErr(w.DeleteGroup(s.groups[0]))
		is.Equal(w.PersonSummary(s.people[2]).GroupCount, int64(1))
	})

	t.Run("Several writes in one transaction are all counted", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		all := s.allMemberships()
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Memberships.AddIfAbsent(ctx, all[:6]); err != nil {
				return err
			}
			if _, err := tx.Memberships.RemovePeople(ctx, s.groups[0], membership.Member, s.people[:1]); err != nil {
				return err
			}
			if err := tx.Memberships.DeleteByPerson(ctx, s.people[1]); err != nil {
				return err
			}
			if _, err := tx.Memberships.AddIfAbsent(ctx, all[5:]); err != nil {
				return err
			}
			return tx.Memberships.Delete(ctx, all[8].ID)
		})
		s.expect([3]int64{1, 2, 2}, [3]int64{2, 1, 2})
	})

	t.Run("Rolled-back writes are not counted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		w.AddMembership(s.people[0], s.groups[0], membership.Member)
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := fixture.Second(tx.Memberships.DeleteByGroup(ctx, s.groups[0], math.MaxInt32)); err != nil {
				return err
			}
			if _, err := tx.Memberships.AddIfAbsent(ctx, s.allMemberships()); err != nil {
				return err
			}
			return fixture.ErrDropped
		})
		is.True(err != nil)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Saving a person or a group, and enrollments, do not change the counts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		w.TryAddMemberships(s.allMemberships()...)
		p, err := w.PersonForUpdate(s.people[0])
		is.NoErr(err)
		p.FirstName = "Augusta"
		is.NoErr(w.TrySavePerson(p))
		g, err := w.GroupForUpdate(s.groups[0])
		is.NoErr(err)
		g.Name = "Renamed"
		is.NoErr(w.TrySaveGroup(g))
		w.Enroll(s.people[0], w.AddCourse("Drawing").ID, enrollment.Learner)
		is.Equal(w.PersonSummary(s.people[0]).CourseCount, int64(1))
		is.Equal(w.PersonSummary(s.people[0]).GroupCount, int64(3))
		is.Equal(w.Group(s.groups[0]).MembershipCount, int64(3))
	})

	t.Run("updated_at does not change with the counts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		s := newMembershipFixture(w.Tenant)
		person, group := w.PersonSummary(s.people[0]).State, w.Group(s.groups[0]).State
		w.TryAddMemberships(s.allMemberships()...)
		is.Equal(fixture.Diff(w.PersonSummary(s.people[0]).State, person), "")
		is.Equal(fixture.Diff(w.Group(s.groups[0]).State, group), "")
	})

	t.Run("A person with a partnership is a learner while a member of a group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		alan, painters := w.AddPerson("alan@example.test").ID, w.AddGroup("Painters").ID
		w.AddPartner(alan, person.Manager)
		w.AddMembership(alan, painters, membership.Manager)
		is.True(!w.PersonSummary(alan).Learner())
		w.AddMembership(alan, painters, membership.Member)
		is.True(w.PersonSummary(alan).Learner())
		w.RemovePeople(painters, membership.Member, alan)
		is.True(!w.PersonSummary(alan).Learner())
	})
}

// membershipFixture has three people and three groups.
type membershipFixture struct {
	fixture.Tenant
	people [3]person.ID
	groups [3]group.ID
}

func newMembershipFixture(s fixture.Tenant) membershipFixture {
	s.T.Helper()
	c := membershipFixture{Tenant: s}
	for i := range c.people {
		name := strconv.Itoa(i)
		c.people[i] = s.AddPerson("p" + name + "@example.test").ID
		c.groups[i] = s.AddGroup("Group " + name).ID
	}
	return c
}

// allMemberships returns a new membership as member for each person in each group, ordered by
// person.
func (c membershipFixture) allMemberships() []membership.Membership {
	var ms []membership.Membership
	for _, p := range c.people {
		for _, id := range c.groups {
			ms = append(ms, c.NewMembership(p, id, membership.Member))
		}
	}
	return ms
}

// expect checks the counts of the groups and of the people: in single records, in lists, in filters
// and as sort keys.
func (c membershipFixture) expect(groups, people [3]int64) {
	c.T.Helper()
	is := is.New(c.T)
	for i := range groups {
		is.Equal(c.Group(c.groups[i]).MembershipCount, groups[i])    // a single group
		is.Equal(c.PersonSummary(c.people[i]).GroupCount, people[i]) // a single person
	}
	all := c.All()
	for i := range groups {
		is.Equal(all.Groups[i].MembershipCount, groups[i]) // the list of groups
		is.Equal(all.People[i].GroupCount, people[i])      // the list of people
	}
	expectCounts(c.Tenant, lists.GroupCase, "membership_count", all.Groups)
	expectCounts(c.Tenant, lists.PersonCase, "group_count", all.People)
}
