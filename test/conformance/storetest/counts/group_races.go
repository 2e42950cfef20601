package counts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// GroupRaces tests the promises of the ports about groups under concurrent writes.
func GroupRaces(t *testing.T, b fixture.Backend) {
	t.Run("One of many concurrent groups gets a name", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		made := make([]group.State, fixture.Goroutines)
		errs := fixture.AtOnce(func(i int) error {
			made[i] = w.NewGroup([]string{"Café", "CAFÉ", "cafe\u0301"}[i%3])
			return w.TryAddGroup(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(fixture.DiffTaken(err, "name", group.Type, made[holder].ID), "")
			}
		}
		is.Equal(fixture.Diff(w.All().Groups, []group.Summary{{State: made[holder]}}), "")
	})

	t.Run("One of many concurrent memberships of a person in a group is added", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing").ID
		ada, painters := w.AddPerson("ada@example.test").ID, w.AddGroup("Painters", drawing).ID
		for _, err := range fixture.AtOnce(func(i int) error {
			if i%2 == 0 {
				return w.TryAddPeopleToGroup(painters, ada)
			}
			return w.TryAddPersonToGroup(ada, painters)
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.All().Memberships), 1)
		is.Equal(len(w.EnrollmentsOf(ada)), 1)
		is.Equal(w.Group(painters).MembershipCount, int64(1))
		is.Equal(w.PersonSummary(ada).GroupCount, int64(1))
		is.Equal(w.PersonSummary(ada).CourseCount, int64(1))
	})

	t.Run("All concurrent members of a group are counted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing").ID
		painters, people := w.AddGroup("Painters", drawing).ID, addPeople(w.Tenant)
		for _, err := range fixture.AtOnce(func(i int) error { return w.TryAddPersonToGroup(people[i], painters) }) {
			is.NoErr(err)
		}
		is.Equal(w.Group(painters).MembershipCount, int64(fixture.Goroutines))
		is.Equal(w.CourseSummary(drawing).EnrollmentsCount, int64(fixture.Goroutines))
		is.Equal(w.MembersOf(painters), people)
		for _, p := range people {
			is.Equal(w.PersonSummary(p).GroupCount, int64(1))
			is.Equal(len(w.EnrollmentsOf(p)), 1)
		}
	})

	t.Run("People who join while courses are added to the group are enrolled in all of them", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		painters, people := w.AddGroup("Painters", w.AddCourse("First").ID).ID, addPeople(w.Tenant)
		var later [4]course.ID
		for i := range later {
			later[i] = w.AddCourse(fmt.Sprintf("Later %d", i)).ID
		}
		for _, err := range fixture.AtOnce(func(i int) error {
			switch i % 5 {
			case 0:
				return w.TryAddCoursesToGroup(painters, later[i/5])
			case 1:
				return w.TryAddPeopleToGroup(painters, people[i], people[i-1])
			}
			return w.TryAddPersonToGroup(people[i], painters)
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.CoursesOf(painters)), 1+len(later))
		is.Equal(w.MembersOf(painters), people)
		for _, p := range people {
			is.Equal(len(w.EnrollmentsOf(p)), 1+len(later)) // one enrollment in each course
		}
		for _, c := range w.All().Courses {
			is.Equal(c.EnrollmentsCount, int64(fixture.Goroutines))
		}
		is.Equal(w.Group(painters).MembershipCount, int64(fixture.Goroutines))
	})

	t.Run("Counts are correct while people join and leave concurrently", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		f := newMembershipFixture(w.Tenant)
		for _, err := range fixture.AtOnce(func(i int) error { return f.joinAndLeave(rand.New(rand.NewPCG(1, uint64(i)))) }) {
			is.NoErr(err)
		}
		f.checkCounts()
	})

	t.Run("A group is deleted while people join", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		painters, people := w.AddGroup("Painters", w.AddCourse("Drawing").ID).ID, addPeople(w.Tenant)
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return w.DeleteGroup(painters)
			}
			return w.TryAddPersonToGroup(people[i], painters)
		})
		joined := 0
		for i, err := range errs {
			if i != fixture.Goroutines/2 && err == nil {
				joined++
			} else if i != fixture.Goroutines/2 {
				is.True(fixture.IsNotFound(err)) // the group was already deleted
			}
		}
		is.NoErr(errs[fixture.Goroutines/2])
		all := w.All()
		is.Equal(len(all.Groups), 0)
		is.Equal(len(all.Memberships), 0)
		is.Equal(len(all.Enrollments), joined) // enrollments are not deleted
		for _, p := range all.People {
			is.Equal(p.GroupCount, int64(0))
		}
	})

	t.Run("A person is deleted while joining", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID
		var groups [fixture.Goroutines]group.ID
		for i := range groups {
			groups[i] = w.AddGroup(fmt.Sprintf("Group %d", i), drawing).ID
		}
		errs := fixture.AtOnce(func(i int) error {
			switch {
			case i == fixture.Goroutines/2:
				return w.DeletePerson(ada)
			case i%2 == 0:
				return w.TryAddPersonToGroup(ada, groups[i])
			}
			return w.TryAddPeopleToGroup(groups[i], ada)
		})
		is.NoErr(errs[fixture.Goroutines/2])
		all := w.All()
		is.Equal(len(all.People), 0)
		is.Equal(len(all.Memberships), 0)
		is.Equal(w.CourseSummary(drawing).EnrollmentsCount, int64(0))
		for _, g := range all.Groups {
			is.Equal(g.MembershipCount, int64(0))
		}
	})

	t.Run("Courses added concurrently to a group in any order are in it once", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing, dancing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID, w.AddCourse("Dancing").ID
		painters, all := w.AddGroup("Painters").ID, []course.ID{drawing, singing, dancing}
		orders := [][]course.ID{{drawing, singing, dancing}, {dancing, drawing, singing}, {singing, dancing, drawing}}
		var put fixture.Counter
		for _, err := range fixture.AtOnce(func(i int) error {
			n, err := w.TryAddCourses(painters, orders[i%3]...)
			put.Add(n)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(put.Count, len(all))
		is.Equal(w.CoursesOf(painters), all)
	})
}

// addPeople adds one person for each goroutine of fixture.AtOnce and returns their ids, sorted.
func addPeople(s fixture.Tenant) []person.ID {
	s.T.Helper()
	people := make([]person.ID, fixture.Goroutines)
	for i := range people {
		people[i] = s.AddPerson(fmt.Sprintf("p%d@example.test", i)).ID
	}
	return people
}

// joinAndLeave adds random people to random groups and removes them. It covers all operations that
// use cases call to do so.
func (c membershipFixture) joinAndLeave(rnd *rand.Rand) error {
	for range 8 {
		p, g, several := fixture.Pick(rnd, c.people[:]), fixture.Pick(rnd, c.groups[:]), lists.Sample(rnd, c.people[:])
		rnd.Shuffle(len(several), func(i, j int) { several[i], several[j] = several[j], several[i] })
		var err error
		switch rnd.IntN(4) {
		case 0:
			err = c.TryAddPersonToGroup(p, g)
		case 1:
			err = c.TryAddPeopleToGroup(g, several...)
		case 2:
			err = c.EndMembership(p, g)
		case 3:
			err = c.EndMemberships(g, several...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkCounts compares every count with the stored memberships.
func (c membershipFixture) checkCounts() {
	c.T.Helper()
	inGroup, ofPerson := map[group.ID]int64{}, map[person.ID]int64{}
	for _, m := range c.All().Memberships {
		if m.Role == membership.Member {
			inGroup[m.Group]++
			ofPerson[m.Person]++
		}
	}
	var groups, people [3]int64
	for i := range groups {
		groups[i], people[i] = inGroup[c.groups[i]], ofPerson[c.people[i]]
	}
	c.expect(groups, people)
}
