package storetest

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
)

// groupRaces tests the promises of the ports about groups under concurrent writes.
func groupRaces(t *testing.T, b Backend) {
	t.Run("One of many concurrent groups gets a name", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		made := make([]group.State, goroutines)
		errs := atOnce(func(i int) error {
			made[i] = w.newGroup([]string{"Café", "CAFÉ", "cafe\u0301"}[i%3])
			return w.tryAddGroup(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(diffTaken(err, "name", group.Type, made[holder].ID), "")
			}
		}
		is.Equal(diff(w.all().Groups, []group.Summary{{State: made[holder]}}), "")
	})

	t.Run("One of many concurrent memberships of a person in a group is added", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing").ID
		ada, painters := w.addPerson("ada@example.test").ID, w.addGroup("Painters", drawing).ID
		for _, err := range atOnce(func(i int) error {
			if i%2 == 0 {
				return w.tryAddPeopleToGroup(painters, ada)
			}
			return w.tryAddPersonToGroup(ada, painters)
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.all().Memberships), 1)
		is.Equal(len(w.enrollmentsOf(ada)), 1)
		is.Equal(w.group(painters).MembershipCount, int64(1))
		is.Equal(w.personSummary(ada).GroupCount, int64(1))
		is.Equal(w.personSummary(ada).CourseCount, int64(1))
	})

	t.Run("All concurrent members of a group are counted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing").ID
		painters, people := w.addGroup("Painters", drawing).ID, w.addPeople()
		for _, err := range atOnce(func(i int) error { return w.tryAddPersonToGroup(people[i], painters) }) {
			is.NoErr(err)
		}
		is.Equal(w.group(painters).MembershipCount, int64(goroutines))
		is.Equal(w.courseSummary(drawing).EnrollmentsCount, int64(goroutines))
		is.Equal(w.membersOf(painters), people)
		for _, p := range people {
			is.Equal(w.personSummary(p).GroupCount, int64(1))
			is.Equal(len(w.enrollmentsOf(p)), 1)
		}
	})

	t.Run("People who join while courses are added to the group are enrolled in all of them", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		painters, people := w.addGroup("Painters", w.addCourse("First").ID).ID, w.addPeople()
		var later [4]course.ID
		for i := range later {
			later[i] = w.addCourse(fmt.Sprintf("Later %d", i)).ID
		}
		for _, err := range atOnce(func(i int) error {
			switch i % 5 {
			case 0:
				return w.tryAddCoursesToGroup(painters, later[i/5])
			case 1:
				return w.tryAddPeopleToGroup(painters, people[i], people[i-1])
			}
			return w.tryAddPersonToGroup(people[i], painters)
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.coursesOf(painters)), 1+len(later))
		is.Equal(w.membersOf(painters), people)
		for _, p := range people {
			is.Equal(len(w.enrollmentsOf(p)), 1+len(later)) // one enrollment in each course
		}
		for _, c := range w.all().Courses {
			is.Equal(c.EnrollmentsCount, int64(goroutines))
		}
		is.Equal(w.group(painters).MembershipCount, int64(goroutines))
	})

	t.Run("Counts are correct while people join and leave concurrently", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		f := newMembershipFixture(w.tenant)
		for _, err := range atOnce(func(i int) error { return f.joinAndLeave(rand.New(rand.NewPCG(1, uint64(i)))) }) {
			is.NoErr(err)
		}
		f.checkCounts()
	})

	t.Run("A group is deleted while people join", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		painters, people := w.addGroup("Painters", w.addCourse("Drawing").ID).ID, w.addPeople()
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return w.deleteGroup(painters)
			}
			return w.tryAddPersonToGroup(people[i], painters)
		})
		joined := 0
		for i, err := range errs {
			if i != goroutines/2 && err == nil {
				joined++
			} else if i != goroutines/2 {
				is.True(isNotFound(err)) // the group was already deleted
			}
		}
		is.NoErr(errs[goroutines/2])
		all := w.all()
		is.Equal(len(all.Groups), 0)
		is.Equal(len(all.Memberships), 0)
		is.Equal(len(all.Enrollments), joined) // enrollments are not deleted
		for _, p := range all.People {
			is.Equal(p.GroupCount, int64(0))
		}
	})

	t.Run("A person is deleted while joining", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		var groups [goroutines]group.ID
		for i := range groups {
			groups[i] = w.addGroup(fmt.Sprintf("Group %d", i), drawing).ID
		}
		errs := atOnce(func(i int) error {
			switch {
			case i == goroutines/2:
				return w.deletePerson(ada)
			case i%2 == 0:
				return w.tryAddPersonToGroup(ada, groups[i])
			}
			return w.tryAddPeopleToGroup(groups[i], ada)
		})
		is.NoErr(errs[goroutines/2])
		all := w.all()
		is.Equal(len(all.People), 0)
		is.Equal(len(all.Memberships), 0)
		is.Equal(w.courseSummary(drawing).EnrollmentsCount, int64(0))
		for _, g := range all.Groups {
			is.Equal(g.MembershipCount, int64(0))
		}
	})

	t.Run("Courses added concurrently to a group in any order are in it once", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing, dancing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID, w.addCourse("Dancing").ID
		painters, all := w.addGroup("Painters").ID, []course.ID{drawing, singing, dancing}
		orders := [][]course.ID{{drawing, singing, dancing}, {dancing, drawing, singing}, {singing, dancing, drawing}}
		var put tally
		for _, err := range atOnce(func(i int) error {
			n, err := w.tryAddCourses(painters, orders[i%3]...)
			put.add(n)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(put.n, len(all))
		is.Equal(w.coursesOf(painters), all)
	})
}

// addPeople adds one person for each goroutine of atOnce and returns their ids, sorted.
func (s tenant) addPeople() []person.ID {
	s.t.Helper()
	people := make([]person.ID, goroutines)
	for i := range people {
		people[i] = s.addPerson(fmt.Sprintf("p%d@example.test", i)).ID
	}
	return people
}

// joinAndLeave adds random people to random groups and removes them. It covers all operations that
// use cases call to do so.
func (c membershipFixture) joinAndLeave(rnd *rand.Rand) error {
	for range 8 {
		p, g, several := pick(rnd, c.people[:]), pick(rnd, c.groups[:]), sample(rnd, c.people[:])
		rnd.Shuffle(len(several), func(i, j int) { several[i], several[j] = several[j], several[i] })
		var err error
		switch rnd.IntN(4) {
		case 0:
			err = c.tryAddPersonToGroup(p, g)
		case 1:
			err = c.tryAddPeopleToGroup(g, several...)
		case 2:
			err = c.endMembership(p, g)
		case 3:
			err = c.endMemberships(g, several...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkCounts compares every count with the stored memberships.
func (c membershipFixture) checkCounts() {
	c.t.Helper()
	inGroup, ofPerson := map[group.ID]int64{}, map[person.ID]int64{}
	for _, m := range c.all().Memberships {
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
