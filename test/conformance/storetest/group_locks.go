package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

// groupLocks tests who waits for whom where people, groups and courses meet.
func groupLocks(t *testing.T, b Backend) {
	finds := []struct {
		name string
		hold func(group.ID) func(context.Context, ports.Tx) error
	}{{"found", findGroup}, {"loaded", loadGroup}}
	for _, find := range finds {
		t.Run("A group that was "+find.name+" is not removed by another", func(t *testing.T) {
			is, w := is.New(t), begin(t, b)
			g := w.addGroup("Painters")
			is.NoErr(w.overtake(find.hold(g.ID), func() error { return w.tryRemoveGroup(g.ID) }))
			is.Equal(len(w.all().Groups), 0)
		})
	}

	t.Run("A group that was found is not changed by another", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g := w.addGroup("Painters")
		changed := g
		changed.Name = "Artists"
		is.NoErr(w.overtake(findGroup(g.ID), func() error { return w.trySaveGroup(changed) }))
		is.Equal(w.group(g.ID).Name, "Artists")
	})

	t.Run("A Find of a group waits for a Load by another, and for a Find", func(t *testing.T) {
		for _, find := range finds {
			t.Run(find.name, func(t *testing.T) {
				is, w := is.New(t), begin(t, b)
				g := w.addGroup("Painters").ID
				is.NoErr(w.overtake(find.hold(g), func() error { return w.try(findGroup(g)) }))
			})
		}
	})

	t.Run("A Load of a group waits for a Find by another", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g := w.addGroup("Painters").ID
		is.NoErr(w.overtake(findGroup(g), func() error { return w.try(loadGroup(g)) }))
	})

	t.Run("Who joins waits for who changes the group's courses, and sees the change", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g, ada, drawing := w.addGroup("Painters").ID, w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		change := func(ctx context.Context, tx ports.Tx) error { return w.putCourses(ctx, tx, g, drawing) }
		is.NoErr(w.overtake(change, func() error { return w.tryEnter(ada, g) }))
		is.Equal(len(w.enrollmentsOf(ada)), 1)
	})

	t.Run("Who changes a group's courses waits for who joins, and sees the member", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g, ada, drawing := w.addGroup("Painters").ID, w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		join := func(ctx context.Context, tx ports.Tx) error { return w.enter(ctx, tx, ada, g) }
		is.NoErr(w.overtake(join, func() error { return w.tryPutCourses(g, drawing) }))
		is.Equal(len(w.enrollmentsOf(ada)), 1)
	})

	t.Run("A person who was loaded is not removed by another", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		p := w.addPerson("ada@example.test")
		is.NoErr(w.overtake(loadPerson(p.ID), func() error { return w.tryRemovePerson(p.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("Readers do not wait for a group that a transaction has found", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g, ada := w.addGroup("Painters").ID, w.addPerson("ada@example.test").ID
		w.join(ada, g, membership.Member)
		before := w.all()
		var during everything
		var members []person.ID
		w.do(func(ctx context.Context, tx ports.Tx) error {
			err := findGroup(g)(ctx, tx)
			during, members = w.all(), w.membersOf(g)
			return err
		})
		is.Equal(diff(during, before), "")
		is.Equal(members, []person.ID{ada})
	})

	if b.Serial {
		serial(t, b)
	} else {
		besides(t, b)
	}
}

// serial tests that a store that says so runs the transactions of a school one
// after the other.
func serial(t *testing.T, b Backend) {
	t.Run("Transactions of one school run one after the other, those of two schools do not wait", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		nothing := func(context.Context, ports.Tx) error { return nil }
		is.NoErr(w.overtake(nothing, func() error { return w.try(nothing) }))
		is.NoErr(w.concurrently(nothing, func() error { return w.neighbour.try(nothing) }))
	})
}

// besides tests who does not wait for whom, where transactions of a school run
// at the same time.
func besides(t *testing.T, b Backend) {
	t.Run("A Load of a group does not wait for another Load", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g := w.addGroup("Painters").ID
		is.NoErr(w.concurrently(loadGroup(g), func() error { return w.try(loadGroup(g)) }))
	})

	t.Run("Who joins a group does not wait for another who joins it", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		drawing := w.addCourse("Drawing").ID
		g := w.addGroup("Painters", drawing).ID
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		join := func(ctx context.Context, tx ports.Tx) error { return w.enter(ctx, tx, ada, g) }
		is.NoErr(w.concurrently(join, func() error { return w.tryEnter(grace, g) }))
		is.Equal(w.membersOf(g), []person.ID{ada, grace})
		is.Equal(w.group(g).MembershipCount, int64(2)) // nor is one of them forgotten
		is.Equal(w.shown(drawing).EnrollmentsCount, int64(2))
	})

	t.Run("Who leaves a group does not wait for another who leaves it", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		g := w.addGroup("Painters").ID
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		seat := w.join(ada, g, membership.Member)
		w.join(grace, g, membership.Member)
		leave := func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.Delete(ctx, seat.ID) }
		is.NoErr(w.concurrently(leave, func() error { return w.exit(grace, g) }))
		is.Equal(len(w.membersOf(g)), 0)
		is.Equal(w.group(g).MembershipCount, int64(0))
	})

	t.Run("Changes of the courses of two groups do not wait for each other", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		drawing := w.addCourse("Drawing").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		change := func(ctx context.Context, tx ports.Tx) error { return w.putCourses(ctx, tx, painters, drawing) }
		is.NoErr(w.concurrently(change, func() error { return w.tryPutCourses(singers, drawing) }))
		is.Equal(w.coursesOf(painters), []course.ID{drawing})
		is.Equal(w.coursesOf(singers), []course.ID{drawing})
	})
}

func findGroup(id group.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return second(tx.Groups.GetForUpdate(ctx, id)) }
}

func loadGroup(id group.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return second(tx.Groups.GetManyForShare(ctx, []group.ID{id}))
	}
}

func loadPerson(id person.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return second(tx.People.GetManyForShare(ctx, []person.ID{id}))
	}
}
