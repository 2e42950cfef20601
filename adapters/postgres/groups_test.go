package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// openGroups adds groups to a school and returns their IDs.
func openGroups(t *testing.T, s ports.Store, id school.ID, n int) []group.ID {
	t.Helper()
	ids := make([]group.ID, n)
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		for i := range ids {
			g := newGroup(fmt.Sprint("Group ", i))
			ids[i] = g.State().ID
			if err := tx.Groups.Add(ctx, g); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// join adds a person to a group in the same way as the use case, which locks the group for share
// first.
func join(ctx context.Context, tx ports.Tx, g group.ID, p person.ID) error {
	if _, err := tx.Groups.GetManyForShare(ctx, []group.ID{g}); err != nil {
		return err
	}
	_, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{member(p, g)})
	return err
}

// Joining a group does not wait for an open transaction that has added another person to it or
// locked it for share. Afterwards all people are counted.
func TestConcurrentMembershipsDoNotWait(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, _ := class(t, s, id, 4, 0)
	g := openGroups(t, s, id, 1)[0]
	counted := func() int64 {
		t.Helper()
		found, err := s.Read(id).Groups.Get(t.Context(), g)
		is.NoErr(err)
		return found.MembershipCount
	}

	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		is.NoErr(join(ctx, tx, g, people[0]))
		within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return join(ctx, tx, g, people[1]) }) // a lock would block it
		is.Equal(counted(), int64(1))                                                                         // the first membership is not committed
		return nil
	})
	is.Equal(counted(), int64(2))
	is.Equal(count(t, db, `SELECT count(*) FROM group_count_deltas`), 1)

	within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Groups.GetManyForShare(ctx, []group.ID{g})
		is.NoErr(err)
		within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return join(ctx, tx, g, people[2]) })
		return join(ctx, tx, g, people[3])
	})
	is.Equal(counted(), int64(4))
	is.Equal(count(t, db, `SELECT count(*) FROM group_count_deltas`), 0) // the deltas were added to the row
}

// A change of a group waits for transactions that have locked the group for share. Each transaction
// in which people join the group takes this lock.
func TestGroupChangesWaitForJoins(t *testing.T) {
	for name, change := range map[string]func(ctx context.Context, tx ports.Tx, id group.ID) error{
		"GetForUpdate": func(ctx context.Context, tx ports.Tx, id group.ID) error {
			_, err := tx.Groups.GetForUpdate(ctx, id)
			return err
		},
		"Save": func(ctx context.Context, tx ports.Tx, id group.ID) error {
			s := newGroup("GROUP 0").State() // the key is unchanged, so that no index makes the change wait
			s.ID = id
			return tx.Groups.Save(ctx, group.Restore(s))
		},
		"Delete": func(ctx context.Context, tx ports.Tx, id group.ID) error { return tx.Groups.Delete(ctx, id) },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			id := newSchool(t, s)
			g := openGroups(t, s, id, 1)[0]
			done := make(chan error, 1)
			within(t, s, id, func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Groups.GetManyForShare(ctx, []group.ID{g})
				is.NoErr(err)
				go func() {
					done <- s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error { return change(ctx, tx, g) })
				}()
				untilBlocked(t, db)
				is.Equal(len(done), 0)
				return nil
			})
			is.NoErr(<-done)
		})
	}
}

// Many transactions add people to groups, remove them, empty groups and add courses to groups, in
// any order. No transaction fails, and in the end every count equals the number of rows. All
// transactions lock groups before people.
func TestGroupCountsUnderContention(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 12, 3)
	groups := openGroups(t, s, id, 4)
	const writers, rounds = 12, 25
	var all sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		all.Go(func() {
			c := crowded{s, id, rand.New(rand.NewPCG(2, uint64(w))), people, courses, groups}
			for range rounds {
				if err := c.move(t.Context()); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		is.NoErr(err)
	}
	// This transaction makes sure that at least one membership exists at the end.
	is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		_, errGroup := tx.Groups.GetManyForShare(ctx, groups[:1])
		_, errPerson := tx.People.GetForUpdate(ctx, people[0])
		return errors.Join(errGroup, errPerson, join(ctx, tx, groups[0], people[0]))
	}))
	is.Equal(count(t, db, `SELECT count(*) FROM people p WHERE group_count <>
		(SELECT count(*) FROM memberships m WHERE m.person_id = p.id AND role = 'member')`), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM people p WHERE course_count <>
		(SELECT count(*) FROM enrollments e WHERE e.person_id = p.id AND role = 'learner')`), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM groups g WHERE
		membership_count + coalesce((SELECT sum(delta) FROM group_count_deltas d WHERE d.group_id = g.id), 0)
		<> (SELECT count(*) FROM memberships m WHERE m.group_id = g.id AND role = 'member')`), 0)
	is.True(count(t, db, `SELECT count(*) FROM memberships`) > 0) // there was something to count
}

// crowded is a school that many transactions change concurrently.
type crowded struct {
	s       ports.Store
	id      school.ID
	random  *rand.Rand
	people  []person.ID
	courses []course.ID
	groups  []group.ID
}

func (c crowded) move(ctx context.Context) error {
	p, g := c.people[c.random.IntN(len(c.people))], c.groups[c.random.IntN(len(c.groups))]
	some := c.people[c.random.IntN(6):]
	moves := []func(ctx context.Context, tx ports.Tx) error{
		func(ctx context.Context, tx ports.Tx) error { // a person joins
			_, errGroup := tx.Groups.GetManyForShare(ctx, []group.ID{g})
			_, errPerson := tx.People.GetForUpdate(ctx, p)
			return errors.Join(errGroup, errPerson, join(ctx, tx, g, p))
		},
		func(ctx context.Context, tx ports.Tx) error { return c.gather(ctx, tx, g, some) },
		func(ctx context.Context, tx ports.Tx) error { // a person leaves everything
			_, err := tx.People.GetForUpdate(ctx, p)
			if err == nil {
				err = tx.Enrollments.DeleteByPerson(ctx, p)
			}
			if err == nil {
				err = tx.Memberships.DeleteByPerson(ctx, p)
			}
			return err
		},
		func(ctx context.Context, tx ports.Tx) error { // some people are removed
			_, err := tx.Memberships.RemovePeople(ctx, g, membership.Member, some[:2])
			return err
		},
		func(ctx context.Context, tx ports.Tx) error { return c.teach(ctx, tx, g) },
		func(ctx context.Context, tx ports.Tx) error { // a group is emptied
			_, err := tx.Groups.GetForUpdate(ctx, g)
			if err == nil {
				_, err = tx.Memberships.DeleteByGroup(ctx, g, math.MaxInt32)
			}
			return err
		},
		func(ctx context.Context, tx ports.Tx) error { // one membership ends
			ms, err := tx.Memberships.MemberIDs(ctx, g)
			if err != nil || len(ms) == 0 {
				return err
			}
			page, err := tx.Memberships.List(ctx, ofGroup(g))
			if err != nil || len(page.Items) == 0 {
				return err
			}
			err = tx.Memberships.Delete(ctx, page.Items[0].ID)
			if fault.Is(err, fault.NotFound) { // another transaction deleted it first
				return nil
			}
			return err
		},
	}
	return c.s.InTx(ctx, c.id, moves[c.random.IntN(len(moves))])
}

// gather makes people members of a group, and the first of them a manager too.
func (c crowded) gather(ctx context.Context, tx ports.Tx, g group.ID, people []person.ID) error {
	if _, err := tx.Groups.GetManyForShare(ctx, []group.ID{g}); err != nil {
		return err
	}
	if _, err := tx.People.GetManyForShare(ctx, people); err != nil {
		return err
	}
	var ms []membership.Membership
	for i, p := range people {
		ms = append(ms, member(p, g))
		if i == 0 {
			ms[0].Role = membership.Manager
			ms = append(ms, member(p, g))
		}
	}
	_, err := tx.Memberships.AddIfAbsent(ctx, ms)
	return err
}

// teach adds a course to a group and enrolls the members.
func (c crowded) teach(ctx context.Context, tx ports.Tx, g group.ID) error {
	added := c.courses[c.random.IntN(len(c.courses))]
	if _, err := tx.Groups.GetForUpdate(ctx, g); err != nil {
		return err
	}
	if _, err := tx.Groups.AddCourses(ctx, g, []course.ID{added}); err != nil {
		return err
	}
	members, err := tx.Memberships.MemberIDs(ctx, g)
	if err != nil {
		return err
	}
	var es []enrollment.Enrollment
	for _, p := range members {
		es = append(es, learner(p, added))
	}
	_, err = tx.Enrollments.AddIfAbsent(ctx, es)
	return err
}
