package storetest

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
)

// groupCounts tests the counts that are derived from memberships as member. After every transaction
// they must be correct in results, in filters and as sort keys.
func groupCounts(t *testing.T, b Backend) {
	t.Run("Members are counted, managers are not", func(t *testing.T) {
		w := newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		s.expect([3]int64{0, 0, 0}, [3]int64{0, 0, 0})
		w.addMembership(s.people[0], s.groups[0], membership.Member)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.addMembership(s.people[0], s.groups[1], membership.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
		w.addMembership(s.people[0], s.groups[0], membership.Manager)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Several memberships added at once are counted, ignored ones are not", func(t *testing.T) {
		w := newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		w.tryAddMemberships(s.allMemberships()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		w.tryAddMemberships(s.allMemberships()...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
		twice := append(s.allMemberships(), s.allMemberships()...)
		w.removePeople(s.groups[1], membership.Member, s.people[:]...)
		s.expect([3]int64{3, 0, 3}, [3]int64{2, 2, 2})
		w.tryAddMemberships(twice...)
		s.expect([3]int64{3, 3, 3}, [3]int64{3, 3, 3})
	})

	t.Run("Removed memberships are not counted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		all := s.allMemberships() // ordered by person, then by group
		w.tryAddMemberships(all...)
		manages := w.addMembership(s.people[2], s.groups[2], membership.Manager)
		w.removePeople(s.groups[0], membership.Member, s.people[0], s.people[1])
		s.expect([3]int64{1, 3, 3}, [3]int64{2, 2, 3})
		w.removePeople(s.groups[0], membership.Member, s.people[0], s.people[1])
		s.expect([3]int64{1, 3, 3}, [3]int64{2, 2, 3})
		is.NoErr(w.tryLeave(manages.ID))
		s.expect([3]int64{1, 3, 3}, [3]int64{2, 2, 3})
		is.NoErr(w.tryLeave(all[8].ID))
		s.expect([3]int64{1, 3, 2}, [3]int64{2, 2, 2})
	})

	t.Run("Deleted people are not counted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		w.tryAddMemberships(s.allMemberships()...)
		w.addMembership(s.people[1], s.groups[0], membership.Manager)
		w.addMembership(s.people[0], s.groups[1], membership.Manager)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.DeleteByPerson(ctx, s.people[1]) })
		s.expect([3]int64{2, 2, 2}, [3]int64{3, 0, 3})
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Memberships.DeleteByGroup(ctx, s.groups[1], math.MaxInt32))
		})
		s.expect([3]int64{2, 0, 2}, [3]int64{2, 0, 2})

		is.NoErr(w.deletePerson(s.people[0]))
		is.Equal(w.group(s.groups[0]).MembershipCount, int64(1))
		is.Equal(w.group(s.groups[2]).MembershipCount, int64(1))
		is.NoErr(w.deleteGroup(s.groups[0]))
		is.Equal(w.personSummary(s.people[2]).GroupCount, int64(1))
	})

	t.Run("Several writes in one transaction are all counted", func(t *testing.T) {
		w := newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		all := s.allMemberships()
		w.do(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		w.addMembership(s.people[0], s.groups[0], membership.Member)
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := second(tx.Memberships.DeleteByGroup(ctx, s.groups[0], math.MaxInt32)); err != nil {
				return err
			}
			if _, err := tx.Memberships.AddIfAbsent(ctx, s.allMemberships()); err != nil {
				return err
			}
			return errDropped
		})
		is.True(err != nil)
		s.expect([3]int64{1, 0, 0}, [3]int64{1, 0, 0})
	})

	t.Run("Saving a person or a group, and enrollments, do not change the counts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		w.tryAddMemberships(s.allMemberships()...)
		p, err := w.personForUpdate(s.people[0])
		is.NoErr(err)
		p.FirstName = "Augusta"
		is.NoErr(w.trySavePerson(p))
		g, err := w.groupForUpdate(s.groups[0])
		is.NoErr(err)
		g.Name = "Renamed"
		is.NoErr(w.trySaveGroup(g))
		w.enroll(s.people[0], w.addCourse("Drawing").ID, enrollment.Learner)
		is.Equal(w.personSummary(s.people[0]).CourseCount, int64(1))
		is.Equal(w.personSummary(s.people[0]).GroupCount, int64(3))
		is.Equal(w.group(s.groups[0]).MembershipCount, int64(3))
	})

	t.Run("updated_at does not change with the counts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := newMembershipFixture(w.tenant)
		person, group := w.personSummary(s.people[0]).State, w.group(s.groups[0]).State
		w.tryAddMemberships(s.allMemberships()...)
		is.Equal(diff(w.personSummary(s.people[0]).State, person), "")
		is.Equal(diff(w.group(s.groups[0]).State, group), "")
	})

	t.Run("A person with a partnership is a learner while a member of a group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		alan, painters := w.addPerson("alan@example.test").ID, w.addGroup("Painters").ID
		w.addPartner(alan, person.Manager)
		w.addMembership(alan, painters, membership.Manager)
		is.True(!w.personSummary(alan).Learner())
		w.addMembership(alan, painters, membership.Member)
		is.True(w.personSummary(alan).Learner())
		w.removePeople(painters, membership.Member, alan)
		is.True(!w.personSummary(alan).Learner())
	})
}

// membershipFixture has three people and three groups.
type membershipFixture struct {
	tenant
	people [3]person.ID
	groups [3]group.ID
}

func newMembershipFixture(s tenant) membershipFixture {
	s.t.Helper()
	c := membershipFixture{tenant: s}
	for i := range c.people {
		name := strconv.Itoa(i)
		c.people[i] = s.addPerson("p" + name + "@example.test").ID
		c.groups[i] = s.addGroup("Group " + name).ID
	}
	return c
}

// allMemberships returns a new membership as member for each person in each group, ordered by
// person.
func (c membershipFixture) allMemberships() []membership.Membership {
	var ms []membership.Membership
	for _, p := range c.people {
		for _, id := range c.groups {
			ms = append(ms, c.newMembership(p, id, membership.Member))
		}
	}
	return ms
}

// expect checks the counts of the groups and of the people: in single records, in lists, in filters
// and as sort keys.
func (c membershipFixture) expect(groups, people [3]int64) {
	c.t.Helper()
	is := is.New(c.t)
	for i := range groups {
		is.Equal(c.group(c.groups[i]).MembershipCount, groups[i])    // a single group
		is.Equal(c.personSummary(c.people[i]).GroupCount, people[i]) // a single person
	}
	all := c.all()
	for i := range groups {
		is.Equal(all.Groups[i].MembershipCount, groups[i]) // the list of groups
		is.Equal(all.People[i].GroupCount, people[i])      // the list of people
	}
	expectCounts(c.tenant, groupCase, "membership_count", all.Groups)
	expectCounts(c.tenant, personCase, "group_count", all.People)
}
