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

// groupLocks tests which operations on people, groups and courses block each other.
func groupLocks(t *testing.T, b Backend) {
	finds := []struct {
		name string
		hold func(group.ID) func(context.Context, ports.Tx) error
	}{{"GetForUpdate", lockGroup}, {"GetManyForShare", shareGroup}}
	for _, find := range finds {
		t.Run(find.name+" of a group blocks its deletion", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			g := w.addGroup("Painters")
			is.NoErr(w.checkBlocks(find.hold(g.ID), func() error { return w.tryDeleteGroup(g.ID) }))
			is.Equal(len(w.all().Groups), 0)
		})
	}

	t.Run("GetForUpdate of a group blocks its update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.addGroup("Painters")
		changed := g
		changed.Name = "Artists"
		is.NoErr(w.checkBlocks(lockGroup(g.ID), func() error { return w.trySaveGroup(changed) }))
		is.Equal(w.group(g.ID).Name, "Artists")
	})

	t.Run("GetForUpdate of a group blocks on GetManyForShare and GetForUpdate", func(t *testing.T) {
		for _, find := range finds {
			t.Run(find.name, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				g := w.addGroup("Painters").ID
				is.NoErr(w.checkBlocks(find.hold(g), func() error { return w.try(lockGroup(g)) }))
			})
		}
	})

	t.Run("GetManyForShare of a group blocks on GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.addGroup("Painters").ID
		is.NoErr(w.checkBlocks(lockGroup(g), func() error { return w.try(shareGroup(g)) }))
	})

	t.Run("Joining a group blocks on a change of its courses and sees the change", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g, ada, drawing := w.addGroup("Painters").ID, w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		change := func(ctx context.Context, tx ports.Tx) error { return w.addCoursesToGroup(ctx, tx, g, drawing) }
		is.NoErr(w.checkBlocks(change, func() error { return w.tryAddPersonToGroup(ada, g) }))
		is.Equal(len(w.enrollmentsOf(ada)), 1)
	})

	t.Run("Changing the courses of a group blocks on a joining member and sees the member", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g, ada, drawing := w.addGroup("Painters").ID, w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		join := func(ctx context.Context, tx ports.Tx) error { return w.addPersonToGroup(ctx, tx, ada, g) }
		is.NoErr(w.checkBlocks(join, func() error { return w.tryAddCoursesToGroup(g, drawing) }))
		is.Equal(len(w.enrollmentsOf(ada)), 1)
	})

	t.Run("GetManyForShare of a person blocks deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPerson("ada@example.test")
		is.NoErr(w.checkBlocks(sharePerson(p.ID), func() error { return w.tryDeletePerson(p.ID) }))
		is.Equal(len(w.all().People), 0)
	})

	t.Run("Readers do not block on a group locked for update", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g, ada := w.addGroup("Painters").ID, w.addPerson("ada@example.test").ID
		w.addMembership(ada, g, membership.Member)
		before := w.all()
		var during everything
		var members []person.ID
		w.do(func(ctx context.Context, tx ports.Tx) error {
			err := lockGroup(g)(ctx, tx)
			during, members = w.all(), w.membersOf(g)
			return err
		})
		is.Equal(diff(during, before), "")
		is.Equal(members, []person.ID{ada})
	})

	if b.Serial {
		serialTransactions(t, b)
	} else {
		groupConcurrency(t, b)
	}
}

// serialTransactions tests that a store whose Backend is Serial runs the transactions of a school
// one after another.
func serialTransactions(t *testing.T, b Backend) {
	t.Run("Transactions of one school run one after another, those of two schools do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		nothing := func(context.Context, ports.Tx) error { return nil }
		is.NoErr(w.checkBlocks(nothing, func() error { return w.try(nothing) }))
		is.NoErr(w.concurrently(nothing, func() error { return w.otherTenant.try(nothing) }))
	})
}

// groupConcurrency tests which operations do not block each other in a store that runs transactions
// of a school concurrently.
func groupConcurrency(t *testing.T, b Backend) {
	t.Run("GetManyForShare of a group does not block on another GetManyForShare", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.addGroup("Painters").ID
		is.NoErr(w.concurrently(shareGroup(g), func() error { return w.try(shareGroup(g)) }))
	})

	t.Run("Two people joining a group do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing").ID
		g := w.addGroup("Painters", drawing).ID
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		join := func(ctx context.Context, tx ports.Tx) error { return w.addPersonToGroup(ctx, tx, ada, g) }
		is.NoErr(w.concurrently(join, func() error { return w.tryAddPersonToGroup(grace, g) }))
		is.Equal(w.membersOf(g), []person.ID{ada, grace})
		is.Equal(w.group(g).MembershipCount, int64(2)) // both changes are saved
		is.Equal(w.courseSummary(drawing).EnrollmentsCount, int64(2))
	})

	t.Run("Two people leaving a group do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.addGroup("Painters").ID
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		joined := w.addMembership(ada, g, membership.Member)
		w.addMembership(grace, g, membership.Member)
		leave := func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.Delete(ctx, joined.ID) }
		is.NoErr(w.concurrently(leave, func() error { return w.endMembership(grace, g) }))
		is.Equal(len(w.membersOf(g)), 0)
		is.Equal(w.group(g).MembershipCount, int64(0))
	})

	t.Run("Changes of the courses of two groups do not block each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing").ID
		painters, singers := w.addGroup("Painters").ID, w.addGroup("Singers").ID
		change := func(ctx context.Context, tx ports.Tx) error { return w.addCoursesToGroup(ctx, tx, painters, drawing) }
		is.NoErr(w.concurrently(change, func() error { return w.tryAddCoursesToGroup(singers, drawing) }))
		is.Equal(w.coursesOf(painters), []course.ID{drawing})
		is.Equal(w.coursesOf(singers), []course.ID{drawing})
	})
}

func lockGroup(id group.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return second(tx.Groups.GetForUpdate(ctx, id)) }
}

func shareGroup(id group.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return second(tx.Groups.GetManyForShare(ctx, []group.ID{id}))
	}
}

func sharePerson(id person.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return second(tx.People.GetManyForShare(ctx, []person.ID{id}))
	}
}
